"""What screens are made of: the base of all, help, and the dialogs that lie over one."""
