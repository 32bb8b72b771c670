"""Win rates by entrant, seat and opponent, from a fixed number of games or until they are precise enough."""
