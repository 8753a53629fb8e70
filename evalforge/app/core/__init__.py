"""What every screen builds on: the services, the session, the navigator's protocol, and what a fight is shown by."""
