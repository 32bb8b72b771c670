"""The `fairfight` command."""
