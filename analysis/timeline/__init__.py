"""How games develop: the lead, the decision, comebacks."""
