"""What people drop."""
