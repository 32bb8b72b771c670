"""Report pages: `build` and `pages` fill the records of `analysis.answer.model`, `write` puts them on disk."""
