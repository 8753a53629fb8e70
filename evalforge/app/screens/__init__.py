"""The building blocks of screens: the base of all, help, and dialogs over a screen."""
