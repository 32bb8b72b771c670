"""Building blocks of answers: formatted numbers, phrases, tables, sections, verdicts, and how they are written to files."""
