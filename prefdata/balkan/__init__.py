"""The Balkan game (rules §9): its own deals, refes, contras and hats, in the same stages as the Russian game."""
