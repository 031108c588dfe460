"""What neural metrics need to score these texts: files in their form, and the command to run. Nothing is run here."""
