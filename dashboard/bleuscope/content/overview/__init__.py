"""The first screen: the answer, and what it rests on."""
