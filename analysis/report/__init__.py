"""Report pages: `model` says what a page is made of, `build` and `answers` fill it, `write` puts it on disk."""
