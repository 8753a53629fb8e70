"""The stage: the boss, its HP bar, the trials, the criteria and the verdict of one judging."""
