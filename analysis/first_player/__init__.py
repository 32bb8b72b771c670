"""The value of going first, and rules that make it fair."""
