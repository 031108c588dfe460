"""Everything that needs Streamlit or a disk."""
