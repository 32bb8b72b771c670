"""What going first is worth, and what would make it fair."""
