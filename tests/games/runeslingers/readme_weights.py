"""The weights of the judge, read from the code and from `judgement.toml` for the tables of the README's section on policies.

`python -m tests.games.runeslingers.readme_weights` prints both tables as they should be, meanings as the README has them: after a
change of weights they can be pasted over the old ones.
"""

import re
import sys

from sim.engine.judgement import BY_HAND, FILE_NAME, FITTED, read_judgement
from sim.games.runeslingers.record import FEATURES
from tests.games.readme import line
from tests.games.readme_weights import Weights

WEIGHTS = Weights("runeslingers", ("evaluation", "record"))
SEATS = "2"
ROW = re.compile(r"^\| `(\w+)` \| (-?[\d.]+) \| (-?[\d.]+) \| ([^|]+) \|$", re.MULTILINE)


def features() -> dict[str, tuple[str, str]]:
    """Fitted and hand-set weight of every feature, as the table writes them."""
    told = read_judgement(WEIGHTS.page.folder / FILE_NAME)
    return {name: (f"{told[FITTED][SEATS][name]:.2f}", f"{told[BY_HAND][SEATS][name]:.2f}") for name in FEATURES}


def listed() -> dict[str, tuple[str, str, str]]:
    """Both weights and the meaning of every feature in the README."""
    return {name: (fitted, by_hand, words) for name, fitted, by_hand, words in ROW.findall(WEIGHTS.page.text)}


def feature_lines() -> list[str]:
    """The table of features as it should be; one that the README does not know means "?"."""
    known = listed()
    return [line(f"`{name}`", *weights, known.get(name, "???")[-1]) for name, weights in features().items()]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*feature_lines(), "", *WEIGHTS.weight_lines(), ""]))
