"""Whole games in lockstep: the kernels and the plain model, compared at every decision and in the outcome."""

import tomllib
from collections import Counter
from functools import partial
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.contract import write_outcome
from sim.games.rookling import GAME
from sim.games.rookling.record import CARD_FORMAT
from sim.games.rookling.state import CURVE, SIEGES, Cause, Draw, Phase
from tests.games.rookling.model.bridge import Kernels, differing, two_squads
from tests.games.rookling.model.cards import read_cards
from tests.games.rookling.model.documents import reference_document
from tests.games.rookling.model.facts import OF_A_ROOKLING, OF_A_SEAT, Facts, NotedExchange
from tests.games.rookling.model.game import new_table, play
from tests.games.rookling.model.table import NOBODY, SEATS, SQUAD, Table, model_state
from tests.games.rookling.random_documents import SWITCHES, random_game_document

SWITCH_LEAST = 5  # of 160 games with each value of each switch
SITUATIONS = {  # what must come up in 160 games, and how often at least
    **{phase.name: 30 for phase in Phase if phase != Phase.OVER},
    **{f"last blow {cause.name}": 3 for cause in Cause},
}


class Pair:
    """One game in the kernels and in the model, which asks and is answered alike."""

    def __init__(self, document: dict[str, Any], number: int) -> None:
        self.rng, self.where = Random(number), f"game {number}"
        cards = GAME.from_document(document)
        squads = two_squads(self.rng, cards)
        self.game, self.facts, self.seen = Kernels(cards, squads, number), Facts(), Counter[str]()
        given = [cards.ids[squad].split("+") for squad in squads] if cards.switches["squad_mode"] == "choose" else None
        self.dealt = [iter(row) for row in self.game.state["rook"].tolist()]
        self.table: Table = new_table(read_cards(document), self.choose, self.chance, given)

    def play(self) -> None:
        """The whole game, compared to its end."""
        play(self.table, partial(NotedExchange, facts=self.facts))
        self.compare("the end")

    def compare(self, moment: str) -> None:
        """The state of the kernels against that of the model."""
        found = differing(self.game, model_state(self.table))
        assert not found, f"{self.where}, exchange {self.table.exchange}, {moment}: kernel and model: {found}"

    def choose(self, phase: Phase, options: list[int]) -> int:
        """A random decision, made in both after a look at both."""
        self.compare(phase.name)
        assert self.game.options() == options, f"{self.where}: options of {phase.name}"
        self.seen[phase.name] += 1
        option = self.rng.choice(options)
        self.game.apply(option)
        return option

    def chance(self, draw: Draw, _results: list[int], seat: int) -> int:
        """What chance has brought in the kernels; the model holds it to the results that there are."""
        self.facts.by_seat["cards_drawn", seat] += draw == Draw.CARD
        return next(self.dealt[seat]) if draw == Draw.SQUADS else self.game.lot(draw, seat)

    def check_outcome(self) -> None:
        """The outcome of the kernels against what was counted beside the model."""
        outcomes, table, facts = np.zeros(1, GAME.outcome), self.table, self.facts
        write_outcome(self.game.state, outcomes[0])
        outcome = outcomes[0]
        won = table.winner != NOBODY
        assert outcome["exchanges"] == table.exchange + won
        assert outcome["last_blow"] == table.last_blow
        assert self.game.state["winner"] == table.winner
        for seat in SEATS:
            assert outcome["attacked_first"][seat] == (table.first == seat)
            assert outcome["drafted_first"][seat] == (table.drafter == seat)
            self.check_seat(outcome, seat)
            members = np.argsort([rook.card.place for rook in table.squads[seat]]).tolist()
            for name in OF_A_ROOKLING:
                counted = [facts.of[name, seat, slot] for slot in members]
                assert outcome[name][seat].tolist() == counted, f"{self.where}: {name} of seat {seat}"

    def check_seat(self, outcome: np.void, seat: int) -> None:
        """What a seat as a whole did and suffered."""
        facts = self.facts
        for name in OF_A_SEAT:
            assert outcome[name][seat] == facts.by_seat[name, seat], f"{self.where}: {name} of seat {seat}"
        assert outcome["landed"][seat].tolist() == [facts.landed[seat, way] for way in range(SQUAD)]
        visited = np.flatnonzero(outcome["visited"][seat]).tolist()
        assert {(seat, *divmod(place, SIEGES)) for place in visited} == {one for one in facts.visited if one[0] == seat}
        hands = facts.hands[seat]
        mean = sum(hands) / len(hands) if hands else np.nan
        assert outcome["hand_at_attack"][seat] == pytest.approx(mean, nan_ok=True)
        curve = facts.life[seat][:CURVE]
        assert outcome["life_after"][seat].tolist() == pytest.approx(curve + [np.nan] * (CURVE - len(curve)), nan_ok=True)


def games_alike(seed: int, games: int) -> Counter[str]:
    """Play random games in both; what came up."""
    rng, seen = Random(seed), Counter[str]()
    for number in range(games):
        pair = Pair(random_game_document(rng), number)
        pair.play()
        pair.check_outcome()
        seen += pair.seen
        seen[f"last blow {Cause(pair.table.last_blow).name}"] += 1
        seen.update(f"{name}={value}" for name, value in pair.game.cards.switches.items())
    return seen


def test_kernels_and_model_play_random_games_alike():
    games_alike(seed=5, games=6)


@pytest.mark.soak
def test_kernels_and_model_play_games_of_every_situation_alike():
    seen = games_alike(seed=5, games=160)
    missing = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not missing, f"situations that came up too rarely: {missing}"
    values = SWITCHES | {"squad_mode": ["choose", "random", "draft"], "mirror": [False, True]}
    switches = {f"{name}={value}" for name in values for value in values[name]}
    rare = {name: seen[name] for name in switches if seen[name] < SWITCH_LEAST}
    assert not rare, f"switches that were set too rarely: {rare}"


def test_the_reference_set_of_the_model_is_that_of_the_game():
    file = files("sim.games.rookling").joinpath("cards.toml")
    CARD_FORMAT.from_document(reference_document())
    assert read_cards(tomllib.loads(file.read_text(encoding="utf-8"))) == read_cards(reference_document())
