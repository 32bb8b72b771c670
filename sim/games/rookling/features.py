"""What the judge weighs (register section 7): a number each, from the point of view of one seat.

All from LIFE on are own less the opponent's unless said. Each has a weight in `judgement.toml`, in log-odds of winning.
"""

from sim.games.rookling.record import Feature

SQUADS = Feature.REACH  # the first of the squads on paper

# Units that make the features 1 or so in size.
ROW_LIFE = 6.0
HAND_NUMBERS = 10.0
POINTS = 10.0
SQUAD_WORTH = 5.0
