"""Who beats whom: ratings, cycles, equilibrium."""
