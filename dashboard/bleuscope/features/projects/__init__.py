"""Versions of systems over time: what leaderboards and histories show, as words, tables and figures."""
