"""Where on the board things happen: hexes that entrants fell from, hexes on which their turns end."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.charts import board as board_chart
from analysis.estimates import ratio, ratios
from analysis.report.answers.prose import at_seats, capital, size
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question
from sim.run import Replay

NEAR = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # differences of neighbours, axial
Ints = NDArray[np.int64]


def board(study: Study, question: Question) -> Section | None:
    """Two maps at most seats: where entrants fell from, and where they stand at the end of their own turns.

    Roles: fell (measure per seat, hex or -1), stood (field of STATE, hex by seat), q, r (fields of CARDS, by hex), hexes
    (field of CARDS, how many there are).
    """
    roles = question.roles
    if not {"fell", "stood", "q", "r", "hexes"} <= set(roles):
        return None
    seats, cards = max(study.seats), study.cards.record[0]
    hexes = int(cards[roles["hexes"]])
    place = np.array([cards[roles["q"]][:hexes], cards[roles["r"]][:hexes]], np.int64)
    fell = _fallen(study, seats, roles["fell"], hexes)
    stood = _stood(study, seats, roles["stood"], hexes)
    kinds = {"Fell from": (fell, "falls"), "Stood at the end of their turns": (stood, "turns")}
    frame = pd.concat(
        [_shares(cases, place).assign(panel=kind, unit=unit) for kind, (cases, unit) in kinds.items()],
        ignore_index=True,
    )
    answer = f"{_near_water(stood, _shore(place), seats)} {_peaks(frame)}"
    falls, turns = count(frame["n"].iloc[0]), count(frame["n"].iloc[-1])
    caption = (
        f"Shares of {falls} falls, by the land hex that was left last, and of {turns} turns {at_seats(seats)}, with "
    )
    caption += f"{study.policy} in every seat. Blank: none."
    columns = {"panel": "what", "q": "q", "r": "r", "value": "share", "low": "low", "high": "high"}
    columns |= {"cases": "cases", "n": "n"}
    numbers = table(frame, "board", "Every hex", columns, {"cases": "count", "q": "number", "r": "number"})
    games = min(study.budget.replays, study.main(seats).games)
    note = f"Coordinates (q, r): q grows to the east, r to the south. Turns' ends come from {count(games)} replayed games. "
    note += "Intervals are those of ratios over games, since the cases of one game hang together."
    drawn = frame.assign(value=frame["value"].where(frame["cases"] > 0))
    chart = Chart(question.id, board_chart(drawn, shared=False, unit="of the panel"), caption, f"Hex maps. {answer}")
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _fallen(study: Study, seats: int, field: str, hexes: int) -> NDArray[np.float64]:
    """Falls by game and hex, (games, hexes)."""
    frame = study.seats_frame[study.seats_frame["seats"] == seats]
    places = frame[field].to_numpy(np.int64)
    game = np.repeat(np.arange(len(frame) // seats), seats)
    return _counted(game, places, (len(frame) // seats, hexes))


def _stood(study: Study, seats: int, field: str, hexes: int) -> NDArray[np.float64]:
    """Own turns' ends by game and hex, (games, hexes)."""
    parts = []
    for log in study.replays(seats):
        game, place = zip(*turn_ends(log, field), strict=True)
        parts.append(_counted(np.array(game), np.array(place), (len(log.rows), hexes)))
    return np.concatenate(parts)


def turn_ends(log: Replay, field: str) -> Iterator[tuple[int, int]]:
    """Game (within the log) and place of whoever was first to decide in a turn, at the end of that turn."""
    game, turn = log.moves["row"], log.moves["turn"]
    starts = np.flatnonzero(np.append(True, (np.diff(game) != 0) | (np.diff(turn) != 0)))
    for at, start in enumerate(starts):
        after = starts[at + 1] if at + 1 < len(starts) else len(game)
        end = after if after < len(game) and game[after] == game[start] else after - 1
        if end > start:
            yield int(game[start]), int(log.positions[end][field][log.moves["seat"][start]])


def _counted(game: Ints, place: Ints, shape: tuple[int, int]) -> NDArray[np.float64]:
    """How often each place (-1: none) occurs in each game."""
    known = place >= 0
    cell = game[known] * shape[1] + place[known]
    return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _shares(cases: NDArray[np.float64], place: Ints) -> pd.DataFrame:
    """Share of all cases by hex, with intervals from games."""
    x = cases.sum(axis=1)
    sums = {
        "y": cases.sum(axis=0),
        "x": x.sum(),
        "yy": (cases**2).sum(axis=0),
        "xy": x @ cases,
        "xx": x @ x,
        "n": len(x),
    }
    table_of = ratios(pd.DataFrame(sums))
    shares = {"value": table_of["estimate"], "low": table_of["low"].clip(0), "high": table_of["high"].clip(upper=1)}
    counts = {"cases": cases.sum(axis=0).astype(np.int64), "n": int(x.sum())}
    return pd.DataFrame({"q": place[0], "r": place[1], **shares, **counts})


def _shore(place: Ints) -> NDArray[np.bool_]:
    """Hexes with water on some side."""
    land = {(int(q), int(r)) for q, r in place.T}
    return np.array([any((q + dq, r + dr) not in land for dq, dr in NEAR) for q, r in place.T.tolist()])


def _near_water(stood: NDArray[np.float64], shore: NDArray[np.bool_], seats: int) -> str:
    """How many turns end next to the water."""
    rim = ratio(stood[:, shore].sum(axis=1), stood.sum(axis=1))
    said = (
        f"{capital(at_seats(seats))} {percent(rim.estimate)} of the turns end on one of the {count(shore.sum())} hexes "
    )
    said += f"next to the water, of {count(shore.size)} in all "
    return said + f"(95 % interval {100 * max(0.0, rim.low):.1f} to {percent(rim.high)}, {size(rim.n)} games)."


def _peaks(frame: pd.DataFrame) -> str:
    """The fullest hex of each map, and what it would be if all hexes were alike."""
    said = []
    for kind, part in frame.groupby("panel", sort=False):
        top = highest(part, "value")
        said.append(
            f"{kind}: most often ({top['q']}, {top['r']}), {percent(top['value'])}; evenly over all {count(len(part))} hexes "
            f"it would be {percent(1 / len(part))}."
        )
    return " ".join(said)
