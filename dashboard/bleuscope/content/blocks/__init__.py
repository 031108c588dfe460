"""Blocks of segments, as in Papineni et al. 2002."""
