"""What crosses the border, as data. Both sides of it use these modules, so they import nothing but each other."""
