"""What the judge weighs of a position, by name, in the order of the weights.

Numbers are own less the opponent's unless it says otherwise, and divided so that one is much.
"""

FEATURES = (
    "even",  # 1 in every position
    "life",  # points
    "armour",  # points left
    "weapons",  # Attack, for each use left
    "experience",  # beyond what turns bring
    "level",  # with parts of levels, as if both had begun as many turns
    "creatures",  # in play
    "attack",  # of theirs, stored READY with it; less of those that may not attack
    "health",  # of theirs that is left
    "abilities",  # of theirs, by what each is worth
    "threat",  # Attack that reaches the opponent
    "lethal",  # 1 if that would bring the opponent down
    "race",  # that as a share of what is left of the opponent, 1 at most
    "frailty",  # how little is left of the opponent, less how little of oneself
    "shields",  # own Shield tokens
    "tricks",  # TRICK cards laid
    "hand",  # worth of the own cards in hand
    "their_hand",  # the opponent's cards in hand, beyond those that turns bring
    "unspent",  # levels that can still be played in the own turn
    "strikes",  # worth of the best attacks that are still open in the own turn
    "danger",  # worth of the best attacks that the opponent has, in its turn or the next one
    "promise",  # best that can come of an own decision half made
)
