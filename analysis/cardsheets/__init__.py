"""Card sets as sheets of cells, and back."""
