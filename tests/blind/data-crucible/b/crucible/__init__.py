"""Groups rows and adds up one column."""
