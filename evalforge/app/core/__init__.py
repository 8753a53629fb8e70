"""What every screen builds on: the services, the session, the navigator, and what a fight is shown by."""
