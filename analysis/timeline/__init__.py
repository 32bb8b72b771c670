"""How games develop: leads, decisions, comebacks."""
