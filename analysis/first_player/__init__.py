"""The value of going first, also under other rules."""
