"""Synthetic duels of three decks that grow from turn to turn, with all fields that the sections on leads and growth read."""

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.answer.model import Section
from analysis.data.rows import Tally, games_frame, seats_frame
from analysis.data.study import Study
from analysis.report.pages import answered_section
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import Status
from sim.engine.measures import Measure
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, FirstPlayer
from tests.analysis.made_rows import ROW
from tests.every_game.coin_duel import GAME

DECKS = ("Pike", "Maul", "Needle")
SEATS, CURVE, LEVELS = 2, 14, 8
STEP = 600.0  # experience from one level to the next
SLOPE = 0.0015  # logits of the win per experience ahead at own turn 5
WOUNDS = ("contact", "range", "effects", "curses")
HARMS = ("strike", "answer", "decay")
CAUSES = ("health", "deck", "nobody")
HEXES = ("burn", "curse", "never")
CURSED = 0.9  # half the difference between the mean numbers of curses of losers and winners
OUTCOME = np.dtype(
    [
        ("player_turns", np.int16),
        ("xp", np.float32, (SEATS, CURVE)),
        ("played", np.float32, (SEATS, CURVE)),
        ("killed", np.float32, (SEATS, CURVE)),
        ("level", np.float32, (SEATS, CURVE)),
        ("unused", np.float32, (SEATS, CURVE)),
        ("level_turn", np.int16, (SEATS, LEVELS)),
        ("blood", np.uint8, (SEATS,)),
        ("wounds", np.int16, (SEATS, len(WOUNDS))),
        ("deaths", np.int16, (SEATS, len(HARMS))),
        ("absorbed", np.int16, (SEATS,)),
        ("cause", np.int8),
        ("roll", np.uint8, (SEATS,)),
        ("began", np.uint8, (SEATS,)),
        ("hexes", np.int16, (SEATS, len(HEXES))),
        ("charms", np.int16, (SEATS,)),
    ]
)
_TURNS = tuple(str(turn + 1) for turn in range(CURVE))
MEASURES = (
    Measure("player_turns", "Player turns", "player turns", "game", "count"),
    Measure("xp", "Experience", "points", "seat", "number", parts=_TURNS),
    Measure("played", "Experience by cards", "points", "seat", "number", parts=_TURNS),
    Measure("killed", "Experience by kills", "points", "seat", "number", parts=_TURNS),
    Measure("level", "Level", "levels", "seat", "number", parts=_TURNS),
    Measure("unused", "Levels of the budget left unused", "levels", "seat", "number", parts=_TURNS),
    Measure("level_turn", "Own turn of each level", "own turns", "seat", "turn", parts=tuple("12345678")),
    Measure("blood", "Killed first", "", "seat", "flag"),
    Measure("wounds", "Damage to players", "points", "seat", "count", parts=WOUNDS),
    Measure("deaths", "Deaths of creatures", "creatures", "seat", "count", parts=HARMS),
    Measure("absorbed", "Damage absorbed by armour", "points", "seat", "count"),
    Measure("cause", "What ended it", "", "game", "category", CAUSES),
    Measure("roll", "Won the roll", "", "seat", "flag"),
    Measure("began", "Went first", "", "seat", "flag"),
    Measure("hexes", "Hexes suffered", "hexes", "seat", "count", parts=HEXES),
    Measure("charms", "Charms", "charms", "seat", "count"),
)
QUESTIONS = (
    FirstPlayer("first", "How much is going first worth?", by="pairing"),
    Ask("length", "How long is a game?", "run", "times", {"facts": ["player_turns"]}),
)


def drawn(games: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows and outcomes of synthetic games: leads at own turn 5 decide by SLOPE; some games are truncated, some are drawn."""
    rng = np.random.default_rng(seed)
    rows, out = np.zeros(games, ROW), np.zeros(games, OUTCOME)
    rows["game"], rows["seats"], rows["entrant"] = np.arange(games), SEATS, -1
    rows["entrant"][:, 0] = rng.integers(0, len(DECKS), games)
    rows["entrant"][:, 1] = (rows["entrant"][:, 0] + rng.integers(1, len(DECKS), games)) % len(DECKS)
    rows["first"] = rng.integers(0, SEATS, games)
    shape = (games, SEATS, CURVE)
    played, killed = rng.gamma(2, 60, shape).cumsum(axis=2), (rng.random(shape) < 0.4) * rng.gamma(2, 90, shape)
    killed = killed.cumsum(axis=2)
    xp = 300.0 * np.arange(1, CURVE + 1) + played + killed
    first = np.arange(SEATS) == rows["first"][:, None]
    gap = (xp[:, 0] - xp[:, 1])[:, 4]
    won = (rng.random(games) < 1 / (1 + np.exp(-SLOPE * gap - 0.3 * np.where(first[:, 0], 1, -1)))).astype(float)
    draw, stopped = rng.random(games) < 0.02, rng.random(games) < 0.03
    won = np.where(draw, 0.5, won)
    rows["status"] = np.where(stopped, Status.TRUNCATED, Status.FINISHED)
    rows["share"][:, 0], rows["share"][:, 1] = won * ~stopped, (1 - won) * ~stopped
    own_turns = rng.integers(4, CURVE + 1, games)[:, None] - ~first * rng.integers(0, 2, (games, 1))
    rows["turns"] = out["player_turns"] = own_turns.sum(axis=1)
    on = np.arange(CURVE) < own_turns[..., None]
    level = np.minimum(1 + xp // STEP, LEVELS)
    for name, values in (("xp", xp), ("played", played), ("killed", killed), ("level", level)):
        out[name] = np.where(on, values, np.nan)
    out["unused"] = np.where(on, rng.poisson(0.7, shape), np.nan)
    for index in range(LEVELS):
        held = on & (level > index)
        out["level_turn"][..., index] = np.where(held.any(axis=2), held.argmax(axis=2) + 1, 0)
    ahead = rng.random(games) < np.where(won > 0.5, 0.62, 0.38)
    out["blood"][:, 0], out["blood"][:, 1] = ahead, ~ahead
    out["blood"][rng.random(games) < 0.04] = 0
    out["wounds"] = rng.poisson(np.array([22, 9, 5, 0.2]) * (1 + 0.2 * rows["entrant"][:, :SEATS, None]))
    out["deaths"] = rng.poisson(np.array([4, 2, 0.6]) * (1.5 - 0.2 * rows["entrant"][:, :SEATS, None]))
    out["absorbed"] = rng.poisson(3, (games, SEATS))
    out["cause"] = rng.integers(0, 2, games)
    out["roll"][np.arange(games), rng.integers(0, SEATS, games)] = 1
    out["began"] = first
    ahead = rows["share"][:, :SEATS] - rows["share"][:, [1, 0]]
    out["hexes"][..., :2] = rng.poisson(np.stack([np.full((games, SEATS), 3.0), 2.0 - CURSED * ahead], axis=2))
    out["charms"] = rng.poisson(1.0, (games, SEATS))
    return rows, out


def decks_duel(games: int = 3000, seed: int = 1) -> Study:
    """A study of synthetic duels of decks. The tiny game must be registered because its design defines which games share dice."""
    game = replace(GAME, seats=(2,), measures=MEASURES, questions=QUESTIONS, entrant_word="deck", entrants_word="decks")
    cards = replace(GAME.load(None), names=DECKS)
    study = Study(game, cards, PolicySpec.parse("random"))
    rows, outcomes = drawn(games, seed)
    tally = Tally.empty(len(DECKS), SEATS_MAX)
    tally.add(rows)
    frames = games_frame(rows, outcomes, MEASURES), seats_frame(rows, outcomes, MEASURES, DECKS)
    vars(study)["_played"] = (tally, *frames, [])
    return study


def asked(study: Study, name: str, **changes: Any) -> Section:
    """The section that answers a question about a study, with other fields."""
    (question,) = (question for question in QUESTIONS if question.id == name)
    section = answered_section(study, replace(question, **changes))
    assert section is not None, f"{name} has no answer"
    return section
