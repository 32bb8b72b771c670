"""Output of commands: the terminal, and the files that they write."""
