"""Files as tools write them, made from texts of the sample."""
