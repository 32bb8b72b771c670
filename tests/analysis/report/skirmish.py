"""Synthetic contests of two teams of three with all fields that the sections on teams read; games are drawn, not played."""

from dataclasses import replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from analysis.data.rows import Tally, games_frame, seats_frame
from analysis.data.study import Study
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import Status
from sim.engine.measures import Measure
from sim.engine.policies import PolicySpec
from sim.engine.teams import Teams
from tests.analysis.made_rows import ROW
from tests.every_game.coin_duel import GAME

PARTS = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Oak", "Pine", "Yew")
SIZE, LINES, CURVE, SEATS = 3, 3, 12, 2
MEMBERS = np.array([*combinations(range(len(PARTS)), SIZE)], np.int8)
ABILITIES = tuple(
    tuple(
        f"{word} ({kind}, any {at % 3 + 1})" for word, kind in (("Strike", "attack"), ("Shield", "defence"), ("Bloom", "special"))
    )[: 3 if at else 2]
    for at in range(len(PARTS))
)
TEAMS = Teams(tuple(name.lower() for name in PARTS), PARTS, MEMBERS, True, "tree", "trees", ABILITIES)
CAUSES = ("none", "blow", "splash", "rot")
MEMBER = (SEATS, SIZE)
OUTCOME = np.dtype(
    [
        ("length", np.int16),
        ("last", np.int8),
        ("damage", np.int16, (3,)),
        ("splashed", np.int16, (3,)),
        ("falls", np.int16, (4,)),
        ("down", np.int16, (SEATS,)),
        ("seen", np.uint8, (SEATS, 9)),
        ("life", np.float32, (SEATS, CURVE)),
        ("came", np.int16, (SEATS, 2)),
        *((name, np.int16, MEMBER) for name in ("by_blow", "by_splash", "by_rot", "blocked", "dealt", "turns", "dealt_down")),
        *((name, np.int16, MEMBER) for name in ("turns_down", "seeds", "own_seeds", "other_seeds", "thrown", "spent")),
        ("met", np.int16, (SEATS, SIZE * LINES)),
        ("used", np.int16, (SEATS, SIZE * LINES)),
    ]
)
_THREE = ("one", "two", "three")
_MEMBER_FIELDS = [name for name in OUTCOME.names or () if OUTCOME[name].shape == MEMBER]
MEASURES = (
    Measure("length", "Rounds", "rounds", "game", "count"),
    Measure("last", "What struck last", "", "game", "category", CAUSES),
    Measure("damage", "Damage", "points", "game", "count", parts=("1 to 4", "5 to 8", "9 and later")),
    Measure("splashed", "Damage splashed", "points", "game", "count", parts=("1 to 4", "5 to 8", "9 and later")),
    Measure("falls", "Rounds by falls", "rounds", "game", "count", parts=("none", "one", "two", "three")),
    Measure("down", "Round in which two were down first", "rounds", "seat", "turn"),
    Measure("seen", "Began a round so", "", "seat", "count", parts=tuple(f"{at // 3}, {at % 3}" for at in range(9))),
    Measure("life", "Life left", "points", "seat", "number", parts=tuple(str(at + 1) for at in range(CURVE))),
    Measure("came", "Damage taken", "points", "seat", "count", parts=("straight", "splashed")),
    *(Measure(name, name.replace("_", " "), "", "seat", "count", parts=_THREE, members=True) for name in _MEMBER_FIELDS),
    Measure("met", "Met", "rounds", "seat", "count", parts=tuple(map(str, range(SIZE * LINES))), members=True),
    Measure("used", "Used", "times", "seat", "count", parts=tuple(map(str, range(SIZE * LINES))), members=True),
)
DOCUMENT = {
    "tree": [
        {"id": name, "line": [{"effects": [{"do": "sow", "seed": name[:1]}] if at % 2 else []}]}
        for at, name in enumerate(TEAMS.ids)
    ],
    "seed": [{"id": name[:1], "name": f"Seed of {name}"} for name in TEAMS.ids],
}


def drawn(games: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows and outcomes of synthetic games; some are truncated and have no winner."""
    rng = np.random.default_rng(seed)
    rows, outcomes = np.zeros(games, ROW), np.zeros(games, OUTCOME)
    rows["game"], rows["seats"], rows["entrant"] = np.arange(games), SEATS, -1
    picked = np.argsort(rng.random((games, len(PARTS))), axis=1)
    numbers = {tuple(team): index for index, team in enumerate(MEMBERS.tolist())}
    for seat in range(SEATS):
        teams = np.sort(picked[:, seat * SIZE : (seat + 1) * SIZE], axis=1)
        rows["entrant"][:, seat] = [numbers[tuple(team)] for team in teams.tolist()]
    won, stopped = rng.integers(0, SEATS, games), rng.random(games) < 0.03
    rows["first"], rows["status"] = rng.integers(0, SEATS, games), np.where(stopped, Status.TRUNCATED, Status.FINISHED)
    rows["share"][np.arange(games), won] = ~stopped
    length = rng.integers(4, 30, games)
    rows["turns"] = outcomes["length"] = length
    outcomes["last"] = np.where(stopped, 0, rng.choice([1, 2, 3], games, p=[0.6, 0.3, 0.1]))
    outcomes["damage"] = rng.poisson([8, 7, 5], (games, 3))
    outcomes["splashed"] = rng.binomial(outcomes["damage"], [0.02, 0.15, 0.4])
    outcomes["falls"] = rng.poisson([8, 3, 0.6, 0.05], (games, 4))
    behind = np.arange(SEATS) != won[:, None]
    outcomes["down"] = rng.integers(3, 14, (games, SEATS)) * (rng.random((games, SEATS)) < 0.5 + 0.45 * behind)
    mine, theirs = np.divmod(np.arange(9), 3)
    first = rng.random((games, 9)) < np.where((mine - theirs) * np.where(won == 0, 1, -1)[:, None] > 0, 0.15, 0.5)
    outcomes["seen"][:, 0], outcomes["seen"][:, 1] = first, first[:, theirs * 3 + mine]
    after = np.arange(1, CURVE + 1)
    left = 18 - after * np.where(behind, 1.2, 0.7)[..., None] + rng.normal(0, 1, (games, SEATS, CURVE))
    outcomes["life"] = np.where(after <= length[:, None, None], left.clip(0), np.nan)
    outcomes["came"] = rng.poisson([9, 3], (games, SEATS, 2))
    strength = 1 + np.moveaxis(MEMBERS[rows["entrant"][:, :SEATS]], -1, -1) / 8
    for name, rate in (
        ("by_blow", 0.5),
        ("by_splash", 0.2),
        ("by_rot", 0.05),
        ("blocked", 2.0),
        ("turns", 5.0),
        ("turns_down", 2.0),
    ):
        outcomes[name] = rng.poisson(rate, (games, *MEMBER))
    outcomes["dealt"] = rng.poisson(1.4 * outcomes["turns"] * strength)
    outcomes["dealt_down"] = rng.poisson(2.1 * outcomes["turns_down"] * strength)
    sows = MEMBERS[rows["entrant"][:, :SEATS]] % 2
    outcomes["seeds"] = rng.poisson(1.2, (games, *MEMBER)) * sows
    outcomes["own_seeds"] = rng.binomial(outcomes["seeds"], 0.4)
    outcomes["other_seeds"] = rng.binomial(outcomes["seeds"] - outcomes["own_seeds"], 0.5)
    outcomes["thrown"] = outcomes["seeds"] - outcomes["own_seeds"] - outcomes["other_seeds"]
    outcomes["spent"] = rng.binomial(outcomes["own_seeds"], 0.9)
    outcomes["met"] = rng.binomial(length[:, None, None], np.tile([0.45, 0.4, 0.2], SIZE), (games, SEATS, SIZE * LINES))
    outcomes["used"] = rng.binomial(outcomes["met"], np.tile([0.9, 0.7, 0.3], SIZE))
    return rows, outcomes


def skirmish(games: int = 600, seed: int = 1) -> Study:
    """A study of synthetic contests of two teams."""
    named = [" + ".join(PARTS[part] for part in team) for team in MEMBERS.tolist()]
    game = replace(GAME, seats=(2,), measures=MEASURES, questions=(), teams_of=lambda _: TEAMS)
    cards = replace(
        GAME.load(None), ids=tuple(map(str, range(len(named)))), names=tuple(named), document=MappingProxyType(DOCUMENT)
    )
    study = Study(game, cards, PolicySpec.parse("random"))
    rows, outcomes = drawn(games, seed)
    tally = Tally.empty(len(named), SEATS_MAX)
    tally.add(rows)
    frames = games_frame(rows, outcomes, MEASURES), seats_frame(rows, outcomes, MEASURES, named)
    vars(study)["_played"] = (tally, *frames, [])
    return study
