"""Games as tables: rows, tallies, pairs of games, and the study behind a report."""
