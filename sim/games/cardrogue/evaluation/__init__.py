"""How positions are evaluated: what things are worth (`values`), the features and a seat's chance to win (`features`)."""
