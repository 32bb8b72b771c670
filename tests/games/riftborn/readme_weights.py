"""The weights of the judge, read from the code for the tables of the README's section on policies.

`python -m tests.games.riftborn.readme_weights` prints both tables as they should be, meanings as the README has them: after a
change of weights they can be pasted over the old ones.
"""

import sys
from itertools import groupby

from sim.games.riftborn import evaluation
from sim.games.riftborn.cards.schema import word_of
from sim.games.riftborn.record import Ability
from tests.games.readme_weights import Weights

WEIGHTS = Weights("riftborn", ("values", "prospects", "exchanges", "outlook", "judge", "worth"))


def ability_lines() -> list[str]:
    """The table of what abilities are worth: one line per worth, the highest first; those worth nothing last."""
    worth = {word_of(ability): float(evaluation.ABILITY_WORTH[ability]) for ability in Ability}
    ordered = sorted(worth, key=lambda word: (-worth[word], word))
    return [f"| {value:g} | {', '.join(words)} |" for value, words in groupby(ordered, key=lambda word: worth[word])]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*WEIGHTS.weight_lines(), "", *ability_lines(), ""]))
