"""The web server around the dashboard's script, and who may enter."""
