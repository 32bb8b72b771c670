"""What the judge weighs (register section 7): a number each, from the point of view of one seat.

All are own less the opponent's unless said. Each has a weight in `judgement.toml`, in log-odds of winning.
"""

from enum import IntEnum


class Feature(IntEnum):
    """Places of the features, in the order in which `judge.features` gives them."""

    EVEN = 0  # 1
    OPENING = 1  # an exchange begins: 1 as attacker, -1 as defender
    ATTACKING = 2  # the same while the attacker places and declares
    DEFENDING = 3  # the same while the defender does
    RESOLVING = 4  # the same while attacks are resolved
    LIFE = 5  # as it will be after the resolution that is foreseen, as are all of the row; unit ROW_LIFE
    ALIVE = 6  # Rooklings with life
    STOUTEST = 7  # life of the one that has most; unit ROW_LIFE
    BRINK = 8  # a single one has life
    LATE = 9  # LIFE, the more the less life there is left on both sides
    LOST = 10  # none has life
    TOKENS = 11  # worth of the tokens on the table, in life points
    POISON = 12  # life that it will take at the end of this attack
    CARDS_TO_ATTACK = 13  # in the hand of whoever attacks next and has no defence before that; unit SQUAD
    CARDS_TO_DEFEND = 14  # in the hand of whoever defends before
    NUMBERS = 15  # on all these cards; unit HAND_NUMBERS
    POWER_NEXT = 16  # points that the own hand attacks with, where an attack is what it will be for; unit POINTS
    POWER_LATER = 17  # the same before the defence
    PROMISE = 18  # life that the best own attack will take, before it is declared; unit ROW_LIFE
    DECLARED = 19  # the same once it is; unit ROW_LIFE
    SHOWN = 20  # of the opponent's attack, as far as its cards are placed; unit ROW_LIFE
    KILL = 21  # chance that the own attack wins the game
    EXTRAS = 22  # worth of special lines and hits that a plan would bring, in life points
    HITS = 23  # worth of the tokens that come of attacks under way
    REACH = 24  # points of attack of the squad with one average card each; unit POINTS
    BLOCK = 25  # the same of defence
    STRENGTH = 26  # worth of the squad on paper; unit SQUAD_WORTH


FEATURES = tuple(feature.name.lower() for feature in Feature)

JUDGED = 1  # row of the weights: seats - 1

# Units that make the features 1 or so in size.
ROW_LIFE = 6.0
HAND_NUMBERS = 10.0
POINTS = 10.0
SQUAD_WORTH = 5.0
