"""What an answer is made of: numbers in words, tables, charts, sections, verdicts; written to files in one way."""
