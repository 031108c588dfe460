"""Results to frames, figures and HTML: pure functions that know no Streamlit."""
