"""Neural metrics: what each one needs, and their runs in processes and environments of their own."""
