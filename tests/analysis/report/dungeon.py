"""Synthetic games with all fields that sections on causes, endings and worth read: a Study of games drawn instead of played."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pandas as pd

from analysis.data.rows import Tally, games_frame, seats_frame
from analysis.data.study import Study
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import Status
from sim.engine.measures import Measure
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from tests.analysis.made_rows import ROW
from tests.every_game.coin_duel import GAME

NAMES = ("Bard", "Druid", "Knight", "Mage", "Rogue", "Squire")
CAUSES = ("trap", "poison", "", "goblin", "imp", "troll", "golem", "bat", "spider", "ghoul", "rat", "fall")
SOURCES = ("chest", "debt", "golem", "exit")
ITEMS = (("rope", 2), ("dagger", 3), ("shield", 4), ("lamp", 0), ("crown", 8), ("bomb", 5))
ENDINGS = ("running", "exit", "all dead", "forfeit")
OUTCOME = np.dtype(
    [
        ("deaths", np.int16, (SEATS_MAX, len(CAUSES) + 2)),  # room for more than the cards name
        ("first_death", np.int16, (SEATS_MAX,)),
        ("first_shop", np.int16, (SEATS_MAX,)),
        ("points", np.int16, (SEATS_MAX, len(SOURCES))),
        ("worn", np.uint8, (SEATS_MAX, len(ITEMS))),
        ("shop_seen", np.int16),
        ("key_seen", np.int16),
        ("rush_round", np.int16),
        ("ending", np.int8),
    ]
)
MEASURES = (
    Measure("deaths", "Deaths", "deaths", "seat", "count", parts=CAUSES),
    Measure("first_death", "Round of the first death", "rounds", "seat", "turn"),
    Measure("first_shop", "Round of the first shop", "rounds", "seat", "turn"),
    Measure("points", "Victory points", "points", "seat", "count", parts=SOURCES),
    Measure("worn", "Worn at the end", "", "seat", "count", parts=tuple(name for name, _ in ITEMS)),
    Measure("shop_seen", "First shop turned up", "rounds", "game", "turn"),
    Measure("key_seen", "Key turned up", "rounds", "game", "turn"),
    Measure("rush_round", "End rush begun", "rounds", "game", "turn"),
    Measure("ending", "How the game ended", "", "game", "category", categories=ENDINGS),
)
QUESTIONS = (Ask("worth", "Which item is worth its price?", "why", "worth", {"has": "worn", "price": ["item", "gold"]}),)
DOCUMENT = {"item": [{"id": name, "gold": gold} for name, gold in ITEMS]}


def drawn(seats: int, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and outcomes of synthetic games at a number of seats; some are truncated."""
    rng = np.random.default_rng(seed + seats)
    rows, outcomes = np.zeros(games, ROW), np.zeros(games, OUTCOME)
    rows["game"], rows["seats"], rows["turns"] = np.arange(games), seats, 40 * seats
    rows["entrant"][:, :seats] = rng.permuted(np.tile(np.arange(len(NAMES)), (games, 1)), axis=1)[:, :seats]
    rows["first"] = 0
    shop = rng.geometric(0.12, (games, seats)) * (rng.random((games, seats)) < 0.85)
    worn = rng.random((games, seats, len(ITEMS))) < np.linspace(0.1, 0.5, len(ITEMS))
    worn[..., 3] = False
    strength = 0.8 * worn[..., 4] + 0.25 * worn[..., 0] - 0.04 * np.where(shop > 0, shop, 25) + rng.gumbel(size=shop.shape)
    won = strength > 1.2 if seats == 1 else strength == strength.max(axis=1, keepdims=True)
    stopped = rng.random(games) < 0.02 * (seats - 1)
    rows["status"] = np.where(stopped, Status.TRUNCATED, Status.FINISHED)
    rows["share"][:, :seats] = won & ~stopped[:, None]
    outcomes["ending"] = np.where(stopped, 0, rng.choice([1, 2, 3], games, p=[0.7, 0.27, 0.03]))
    outcomes["worn"][:, :seats], outcomes["first_shop"][:, :seats] = worn, shop
    means = 0.4 / (1 + np.arange(len(CAUSES))) * (np.array(CAUSES) != "")
    skill = 1 + 0.15 * rows["entrant"][:, :seats, None]
    deaths = rng.poisson(means * skill * (1 + seats / 4))
    outcomes["deaths"][:, :seats, : len(CAUSES)] = deaths
    first = rng.geometric(np.clip(0.05 * deaths.sum(axis=2), 0.01, 1), (games, seats))
    outcomes["first_death"][:, :seats] = np.where(deaths.sum(axis=2) > 0, first, 0)
    base = np.where(won[..., None], [5, 1, 3, 4], [1, 1.5, 1, 0.5])
    outcomes["points"][:, :seats] = rng.poisson(base)
    for field, chance in (("shop_seen", 0.3), ("key_seen", 0.1), ("rush_round", 0.04)):
        outcomes[field] = rng.geometric(chance * (1 + seats / 3), games) * (rng.random(games) < 0.4 + chance + 0.1 * seats)
    return rows, outcomes


def dungeon(games: int = 400, seats: tuple[int, ...] = (1, 2, 3, 4), seed: int = 1) -> Study:
    """A study of synthetic games, the same number at each number of seats."""
    game = replace(GAME, seats=seats, measures=MEASURES, questions=QUESTIONS, entrant_word="character")
    names = {name.lower(): name for name in NAMES}
    cards = replace(GAME.load(None), ids=tuple(names), names=NAMES, document=MappingProxyType(DOCUMENT))
    study = Study(game, cards, PolicySpec.parse("random"))
    tally, per_game, per_seat = Tally.empty(len(NAMES), SEATS_MAX), [], []
    for number in seats:
        rows, outcomes = drawn(number, games, seed)
        tally.add(rows)
        per_game.append(games_frame(rows, outcomes, MEASURES))
        per_seat.append(seats_frame(rows, outcomes, MEASURES, NAMES))
    vars(study)["_played"] = (tally, _joined(per_game), _joined(per_seat))
    return study


def _joined(frames: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(frames, ignore_index=True)
