"""Card Rogue in words: names and the picture (`labels`), decisions and events (`story`)."""
