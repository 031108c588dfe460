"""Similarity of sentence embeddings."""
