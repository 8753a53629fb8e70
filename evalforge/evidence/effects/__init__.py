"""Facts that are found by running: which functions decide or return what is printed, and which errors are taken.

After the trials, the program is compiled once more so that its functions pass each answer to ours, and each block calls
it first (``sandbox/host/answers``); its files stay as they are. Some trials run again on that (``replays``):

1. As they are. Noted are what each function answered, in which anything was read or written meanwhile, and which blocks
   were reached. What a generator does belongs to the generator and to whoever made it, not to who was handed it.
2. With the answers of one function changed (``deciding_functions``): a text to another one that it gave elsewhere, a
   number moved, a list without its last item. If a trial then fails or the exit status is another one, it *decides*. A
   refusal doesn't count, or each check of the input would decide.
3. With an error raised at the start of one block (``caught_errors``). If it doesn't come out, the code around takes any
   error. Where it was caught is known from its traceback, which grows on the way up.
4. With what calls changed in the state of modules put back where each call begins (``shared_state``). If the trial then
   ends otherwise, calls share that state; a cache or a note is missed by nobody.

The first runs also show which lines read or write a standard stream and which act on import; ``static`` reads the code
with the help of them.

Nothing depends on how the code is spelled: a lambda, ``__str__`` and a bound ``format`` are functions, and a decorator,
a ``finally`` that returns or a hook take errors as handlers do.

The player's process could forge the notes. So they only say where to try: what counts is how a trial ends, seen from
outside. The bytecode calls ours by a name that is random, and a program that hides code isn't measured.

Only facts that the boss's rules name are measured, so other bosses pay nothing.
"""
