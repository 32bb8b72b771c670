"""Which level of play beats which, and who gains from it."""
