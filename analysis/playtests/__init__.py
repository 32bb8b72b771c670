"""Games that people played: read from a file, with what was understood and what was left out."""
