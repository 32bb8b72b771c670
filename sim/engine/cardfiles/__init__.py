"""Card files: paths of fields, provenance of numbers, and validation."""
