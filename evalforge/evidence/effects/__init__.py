"""Facts that are found by running: which functions decide, and which return the lines that are printed.

After the trials, the program is compiled once more so that its functions pass each answer to ours
(``sandbox/host/answers``); its files stay as they are. Some trials run again on that (``replays``):

1. Two of plain use, as they are. Noted are what each function answered, and in which anything was read or written
   meanwhile: on the standard streams, in files, or in a log. What a generator does belongs to the generator and to
   whoever made it, not to a function that was handed it.
2. The same with the answers of one function changed, for one function after the other: a text to another one that it
   gave elsewhere, a number moved, a list without its last item.

If a changed answer changes what the program does, and a trial fails or the exit status is another one, the function
*decides* (``deciding_functions``). A refusal doesn't count, or each check of the input would decide. Nothing depends on
how the code is spelled: a lambda, a method, ``__str__`` and a bound ``format`` are all functions.

The player's process could forge the notes. So they only say which functions are worth changing: a function counts if
trials, seen from outside, end otherwise. The bytecode calls ours by a name that is random, and a program that hides
code isn't measured. What only hands on its argument doesn't answer.

Only facts that the boss's rules name are measured, so other bosses pay nothing.
"""
