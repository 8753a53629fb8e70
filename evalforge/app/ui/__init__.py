"""The building blocks of all screens: theme, text and widgets."""
