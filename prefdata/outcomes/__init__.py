"""Outcomes: the different deals of an archive, numbered, and where a walk over their numbers reads and writes.

Nothing here knows a game.
"""
