"""Results as tables to take along: one sheet of raw values, written as CSV, XLSX, JSON, LaTeX, Markdown or text."""
