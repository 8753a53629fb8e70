"""Facts that are found by running: what the program's functions do, and whether their answers matter.

After the trials, a copy of the submission is made in which each ``return`` passes its value through
``sandbox/host/answers`` (``marked_answers``). Some trials run again on that copy (``replays``):

1. Once as it is. The copy notes which functions answered with something other than None, and in which anything was read
   or written meanwhile: on the standard streams, in files, or in a log. What a generator does belongs to the generator
   and to whoever made it, not to a function that was handed it.
2. Once for each function that neither read nor wrote, with its answers changed: a text to another one that it gave
   elsewhere, a number moved, a list without its last item.

If a changed answer changes what the program does, and a trial fails or the exit status is another one, the function
*decides* (``deciding_functions``). A refusal doesn't count, or each check of the input would decide. Nothing depends on
how the code is spelled: a lambda, a method, ``__str__`` and a bound ``format`` are all functions.
"""
