"""What people read of neural metrics, and the files and commands for running them elsewhere."""
