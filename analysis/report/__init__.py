"""Report pages: `build` and `pages` fill the records of `analysis.document.model`, `write` puts them on disk."""
