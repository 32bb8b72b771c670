"""Card files: paths of fields, provenance of numbers, and validation with messages that name the field."""
