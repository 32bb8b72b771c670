"""Games of two seats by who plays whom."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from analysis.report.answers.members import at
from analysis.study import Study

SEATS = 2


def of_pairings(study: Study) -> pd.DataFrame | None:
    """One line per game of two seats: `games_frame`, and who met; None where nobody meets or entrants are teams.

    More columns: key (games of one key share their dice), pairing (ordered categorical, `A - B` in the order of the cards,
    those that were played), ahead (entrant that went first, -1 unknown), behind (the other one), won (share of the first's win).
    """
    if study.teams is not None or SEATS not in study.contests:
        return None
    games = at(study.games_frame, SEATS).reset_index(drop=True)
    seats = at(study.seats_frame, SEATS)
    if games.empty:
        return None
    entrant = seats["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    share = seats["share"].to_numpy(np.float64).reshape(-1, SEATS)
    first = games["first"].to_numpy(np.int64)
    seat, line = first.clip(0), np.arange(len(games))
    names, pairs = study.names, [*combinations_with_replacement(range(len(study.names)), SEATS)]
    code = {pair: number for number, pair in enumerate(pairs)}
    met = [code[one, other] for one, other in np.sort(entrant, axis=1).tolist()]
    words = [f"{names[one]} \u2013 {names[other]}" for one, other in pairs]
    pairing = pd.Categorical.from_codes(met, pd.Index(words)).remove_unused_categories()
    return games.assign(
        key=study.main(SEATS).pair_of(games["game"].to_numpy(np.int64)),
        pairing=pairing,
        ahead=np.where(first >= 0, entrant[line, seat], -1),
        behind=entrant[line, 1 - seat],
        won=share[line, seat],
    )
