"""What reaches the user: the terminal, and the files that commands write."""
