"""What the judge weighs (register section 7): a number each, from the point of view of one seat.

All from LIFE on are own less the opponent's unless said. Each has a weight in `judgement.toml`, in log-odds of winning.
"""

from enum import IntEnum


class Feature(IntEnum):
    """Places of the features, in the order in which `judge.features` gives them."""

    ATTACK_OPENS = 0  # 1: an exchange begins, the own side attacks
    DEFENCE_OPENS = 1  # 1: an exchange begins, the other side attacks
    ATTACK_PLANS = 2  # 1: the own side places cards and declares attacks
    DEFENCE_WATCHES = 3  # 1: the other side does
    ATTACK_WAITS = 4  # 1: the other side places cards and declares defences
    DEFENCE_PLANS = 5  # 1: the own side does
    ATTACK_LANDS = 6  # 1: own attacks are resolved
    DEFENCE_HOLDS = 7  # 1: the other side's are
    LIFE = 8  # as it will be after what is foreseen of resolution and poison, as are all of the row; unit ROW_LIFE
    ALIVE = 9  # Rooklings with life
    STOUTEST = 10  # life of the one that has most; unit ROW_LIFE
    BRINK = 11  # a single one has life
    LATE = 12  # LIFE, the more the less life there is left on both sides
    LOST = 13  # none has life
    DOOMED = 14  # chance that poison takes the last life at the end of this attack
    TOKENS = 15  # worth of the tokens on the table, in life points
    OWN_TO_ATTACK = 16  # own cards, where the next thing that they are for is an attack; unit SQUAD
    OWN_TO_DEFEND = 17  # own cards, where it is a defence; unit SQUAD
    OTHER_TO_ATTACK = 18  # the opponent's likewise, below 0
    OTHER_TO_DEFEND = 19  # and where it is a defence; unit SQUAD
    SKIPS = 20  # a draw that will be skipped, while an exchange begins: -1 the own, 1 the other's
    NUMBERS = 21  # on the own cards; unit HAND_NUMBERS
    POWER_NEXT = 22  # points that the own hand attacks with, where that is what it will be for; unit POINTS
    POWER_LATER = 23  # the same before a defence
    PROMISE = 24  # life that the best own attack will take, before it is declared; unit ROW_LIFE
    DECLARED = 25  # the same once it is; unit ROW_LIFE
    SHOWN = 26  # of the opponent's attack, as far as its cards are placed, below 0; unit ROW_LIFE
    KILL = 27  # chance that the own attack wins the game
    EXTRAS = 28  # worth of special lines and hits that the own plan would bring, in life points
    HITS = 29  # worth of the tokens that come of attacks under way, in life points
    REACH = 30  # points of attack of the squad with an average card each; unit POINTS
    HARM = 31  # worth of the tokens that these attacks put on the opponent, in life points
    STRENGTH = 32  # worth of the squad on paper; unit SQUAD_WORTH


FEATURES = tuple(feature.name.lower() for feature in Feature)
STAGES = Feature.LIFE  # features before the first that is counted
SQUADS = Feature.REACH  # the first of the squads on paper
JUDGED = 1  # row of the weights: seats - 1

# Units that make the features 1 or so in size.
ROW_LIFE = 6.0
HAND_NUMBERS = 10.0
POINTS = 10.0
SQUAD_WORTH = 5.0
