"""Who wins how often: rates by entrant, seat and opponent, until they are known well enough."""
