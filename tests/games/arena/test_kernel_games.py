"""Whole games played three ways: by the compiled loop, decision by decision, and by the plain model.

The model rolls the same keyed dice, so that who rolls how many of them in which turn is compared as well.
"""

from collections import Counter
from random import Random

import numpy as np

from sim.engine.contract import write_outcome
from sim.engine.loop import Status, set_table
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Replay, replay
from tests.every_game.play import shortened
from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import GAME, Kernels, KeyedFaces, card_set, model_snapshot, snapshot_of
from tests.games.arena.model.model import Model

GAMES_PER_SET = 5
RANDOM_SETS = shortened(64, 4)
REFERENCE_SETS = 4  # for each number of seats
SHORT_CAP, LONG_CAP = 60, 400


def random_experiments(seed: int) -> list[tuple[dict, Experiment]]:
    """Random games with random and reference cards at 2, 3 and 4 seats, some truncated early."""
    rng = Random(seed)
    documents = [random_document(rng, rng.choice([20, SHORT_CAP, SHORT_CAP, LONG_CAP])) for _ in range(RANDOM_SETS)]
    documents += [reference(turn_cap=SHORT_CAP, board=board) for board in ("standard", "large", "pit", "standard")]
    experiments = []
    for number, document in enumerate(documents):
        cards, seats = card_set(document), GAME.seats[number % len(GAME.seats)]
        line_up = tuple(rng.sample(range(len(cards.ids)), seats))
        policy = (PolicySpec.parse("random"),)
        experiments.append((document, Experiment("arena", cards, seats, policy, GAMES_PER_SET, seed=number, line_up=line_up)))
    return experiments


def model_of(document: dict, game: Kernels, line_up: tuple[int, ...]) -> Model:
    """The model of a game that was just dealt in the kernels: the same first player and dealt starts."""
    model = Model(document, [game.cards.ids[entrant] for entrant in line_up])
    starts = None
    if model.rules["start_choice"] == "spread":
        places = snapshot_of(game.state, game.cards, game.board)["positions"]
        starts = [model.board.starts.index(places[seat]) for seat in model.seats]
    model.deal(int(game.state["first"]), starts)
    return model


def follow(document: dict, experiment: Experiment, played: Replay, number: int, seen: Counter[str]) -> None:
    """Step game `number` of a replay through the verbs and the model, comparing everything at every decision."""
    game = Kernels(experiment.cards)
    plan = experiment.plan(number, 1)[0]
    set_table(game.workspace, experiment.cards.record[0], plan)
    game.listed()
    model = model_of(document, game, experiment.line_up)
    lines = np.flatnonzero(played.moves["row"] == number)
    for line in lines:
        move, where = played.moves[line], f"set {experiment.seed}, game {number}, line {line}"
        assert played.positions[line].tobytes() == game.state.tobytes(), f"{where}: the loop's position"
        assert game.snapshot() == model_snapshot(model), f"{where}: kernel and model at {model.phase}"
        assert game.options() == model.options(), f"{where}: options of {model.phase}"
        seen[model.phase] += 1
        if model.over():
            break
        code = int(move["action"])
        assert (move["seat"], move["options"]) == (model.current_player(), len(model.options())), f"{where}: who decides"
        dice = KeyedFaces(model.rules, game.dice, model.turn)
        model.apply(code, dice)
        game.apply(code)
        assert (game.dice["used"] == dice.used).all(), f"{where}: dice rolled"
    assert line == lines[-1], "the loop went on after the end"
    assert played.moves[line]["action"] == -1, "the loop stopped before the end"
    check_row(model, experiment, played, number)
    outcome = np.zeros(1, GAME.outcome)
    write_outcome(game.state, outcome[0])
    assert outcome.tobytes() == played.outcomes[number].tobytes()
    seen["truncated"] += model.truncated()
    seen[f"seats {len(model.seats)}"] += 1


def check_row(model: Model, experiment: Experiment, played: Replay, number: int) -> None:
    """Compare the row of a game with the model: winner, status and length."""
    row, outcome = played.rows[number], played.outcomes[number]
    seats = len(model.seats)
    shares = [1.0 if seat == model.winner() else 0.0 for seat in range(4)]
    asked = played.moves[(played.moves["row"] == number) & (played.moves["options"] > 1)]
    assert row["status"] == (Status.TRUNCATED if model.truncated() else Status.FINISHED)
    assert row["turns"] == model.turn + (not model.truncated())
    assert row["share"].tolist() == shares
    assert row["first"] == model.first
    assert row["decisions"] == len(asked)
    assert row["entrant"].tolist() == [*experiment.line_up, *[-1] * (4 - seats)]
    assert outcome["place"].tolist()[:seats] == model.places()


def test_the_compiled_loop_the_verbs_and_the_model_play_random_games_alike():
    seen: Counter[str] = Counter()
    for document, experiment in random_experiments(seed=7):
        played = replay(experiment, 0, experiment.games)
        for number in range(experiment.games):
            follow(document, experiment, played, number, seen)
    assert sum(seen[f"seats {seats}"] for seats in GAME.seats) >= shortened(200, 4)
    assert all(seen[f"seats {seats}"] >= shortened(40, 4) for seats in GAME.seats)
    assert seen["truncated"] >= shortened(20, 4)
    assert seen["OVER"] - seen["truncated"] >= shortened(50, 4)
    for phase in ("START", "MOVE", "ABILITY", "PRE_MOVE", "RAGE", "SUMMON", "STEP", "POST_MOVE"):
        assert seen[phase] >= shortened(30, 4), phase
