"""Records of the store as markup: plain functions that know neither Streamlit nor the store."""
