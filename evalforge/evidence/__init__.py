"""Facts about a submission, from trials, player tests, mutation and static reading; and how facts earn levels."""
