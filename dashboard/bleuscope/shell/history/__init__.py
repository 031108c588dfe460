"""The panels of the pages over time: projects, leaderboard, history."""
