"""The weights of the judge, read from the code for the table of the README's section on policies.

`python -m tests.games.runeslingers.readme_weights` prints the table as it should be, meanings as the README has them: after a
change of weights it can be pasted over the old one.
"""

import sys

from tests.games.readme_weights import Weights

WEIGHTS = Weights("runeslingers", ("values", "prospects", "judge", "worth"))

if __name__ == "__main__":
    sys.stdout.write("\n".join([*WEIGHTS.weight_lines(), ""]))
