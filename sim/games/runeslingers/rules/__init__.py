"""Rules of Runeslingers, one module per chapter of the rulebook."""
