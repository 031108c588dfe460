"""What is remembered: by a session, by the server, by an address, by a person."""
