"""The compiled rules, compared with the plain model: the same position, decisions and dice give the same result.

Every decision is compared: the options before it, the whole table after it, and how many dice were rolled.
"""

from collections import Counter
from random import Random, SystemRandom

import pytest

from sim.run import bench_for
from tests.games.arena.documents import RULE_VALUES, random_document
from tests.games.arena.kernel_bridge import BRIDGE, GAME, Kernels, Successes, board_named, card_set
from tests.games.arena.model.board import Board, distance, step, way
from tests.games.arena.model.model import PASS, Model
from tests.games.arena.model.table import DEFAULT_RULES, FIRST_DRAGONLING, effect
from tests.games.arena.model.turn import CODES_PER_ABILITY
from tests.games.arena.positions import random_position
from tests.model.kernels import LaidOut
from tests.model.lockstep import agree

FIXED = 20_250_101
RESOLUTIONS = 10_000
RESOLUTIONS_PER_COMMIT = 300
POSITIONS_PER_DOCUMENT = 40
FACES_MOST = 12 + 6 * 12  # one attack roll, six Defence rolls
IN_LINE, IN_CONE = 0.3, 0.3  # share of positions with the pieces in one line, behind one that is seen at a slant
STOP = 169

# what must occur among the resolutions, and its least number
SITUATIONS = {
    "STEP of a push": 300,
    "STEP of a pull": 10,
    "STEP by the attacker": 100,
    "PRE_MOVE": 1000,
    "POST_MOVE": 1000,
    "chain of 3 pieces": 80,
    "chain of 5 pieces": 5,
    "slanted push collides after a turn": 10,
    "cause 1": 500,
    "cause 2": 100,
    "cause 3": 2,
    "cause 4": 50,
    "dragonling felled": 300,
    "pulled": 100,
    "swapped": 500,
    "area of 3": 50,
    "area of 6": 1,
    "retaliated": 100,
    "summon stopped": 50,
    "rage paid": 500,
    "board with holes": 2000,
    "game over": 200,
    "several fallen": 10,
}
SWITCH_LEAST = 100  # resolutions with each value of each switch


class Watch:
    """Counts what happens in a resolution."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def decision(self, model: Model, code: int) -> None:
        """Count a decision that is about to be carried out."""
        pulled = "ability" in model.pending and self.ability(model, "pull")
        attacker = model.rules["offline_chooser"] == "attacker"
        self.seen["STEP of a pull"] += model.phase == "STEP" and bool(pulled)
        self.seen["STEP of a push"] += model.phase == "STEP" and not pulled
        self.seen["STEP by the attacker"] += model.phase == "STEP" and attacker
        self.seen["PRE_MOVE"] += model.phase == "PRE_MOVE"
        self.seen["POST_MOVE"] += model.phase == "POST_MOVE"
        self.seen["summon stopped"] += model.phase == "SUMMON" and code == STOP
        self.seen["rage paid"] += model.phase == "RAGE" and code > 0

    @staticmethod
    def ability(model: Model, op: str) -> dict | None:
        """The effect of this name on the ability in use."""
        return effect(model.cards[model.active]["ability"][model.pending["ability"]], op)

    def resolution(self, model: Model, game: Kernels, position: dict, ability: dict) -> None:
        """Count the results of an ability."""
        user, state = position["active"], game.state
        targets = int(state["target_count"]) if ability["kind"] == "attack" else 0
        shoved = any(state[name][seat].sum() for name in ("hexes_pushed", "falls_caused") for seat in range(4) if seat != user)
        struck = int(state["collisions_caused"][user]) if targets == 1 and not shoved else 0
        for fall in model.falls:
            self.seen["dragonling felled" if fall.piece >= FIRST_DRAGONLING else f"cause {fall.cause}"] += 1
        pieces = [piece for piece, place in position["positions"].items() if model.positions.get(piece) != place]
        self.seen["chain of 3 pieces"] += struck >= 2
        self.seen["chain of 5 pieces"] += struck >= 4
        pushed = bool(struck) and not effect(ability, "pull")
        self.seen["slanted push collides after a turn"] += pushed and state["made_v"] > 0
        self.seen["pulled"] += bool(effect(ability, "pull")) and bool(set(pieces) - {user})
        self.seen["swapped"] += bool(effect(ability, "swap"))
        self.seen["area of 3"] += bool(effect(ability, "area")) and targets >= 3
        self.seen["area of 6"] += bool(effect(ability, "area")) and targets == 6
        self.seen["retaliated"] += shoved
        self.seen["board with holes"] += len(game.board.land) < 1 + 3 * game.board.radius * (game.board.radius + 1)
        self.seen["game over"] += model.over()
        self.seen["several fallen"] += sum(fall.piece < FIRST_DRAGONLING for fall in model.falls) > 1
        for name in RULE_VALUES:
            self.seen[f"{name}={model.rules[name]}"] += 1


def compare(model: Model, game: Kernels, dice: Successes, where: str) -> None:
    """Check that options, table and used dice are equal."""
    agree(BRIDGE, game, model, where)
    assert game.dice["script_at"] == dice.used, f"{where}: dice rolled"


def resolve_both(model: Model, game: Kernels, rng: Random, watch: Watch, where: str) -> bool:
    """Use a random ability in both, with the same random faces and answers; False if there is none."""
    faces = [rng.randint(1, 6) for _ in range(FACES_MOST)]
    dice = Successes(model.rules, LaidOut(faces))
    game.script(faces)
    compare(model, game, dice, where)
    codes = [code for code in model.options() if code != PASS]
    if not codes:
        return False
    code = rng.choice(codes)
    ability = model.cards[model.active]["ability"][(code - 1) // CODES_PER_ABILITY]
    position = {"active": model.active, "positions": dict(model.positions)}
    while True:
        watch.decision(model, code)
        model.apply(code, dice)
        game.apply(code)
        compare(model, game, dice, f"{where}, after {code}")
        if model.phase in ("MOVE", "OVER"):
            break
        code = rng.choice(model.options())
    watch.resolution(model, game, position, ability)
    return True


def in_line(position: dict, board: Board, rng: Random) -> dict:
    """The same position with its pieces moved onto one line, across a hole if possible: long chains, pulls into water."""
    holes = [
        x
        for place in board.land
        for d in range(6)
        if not board.is_land(x := step(place, d)) and distance((0, 0), x) <= board.radius
    ]
    base, direction = rng.choice(holes or board.land), rng.randrange(3)
    line = [x for i in range(-14, 15) if board.is_land(x := step(base, direction, i)) and rng.random() < 0.8]
    pieces = rng.sample(sorted(position["positions"]), len(position["positions"]))
    begin = rng.randint(0, max(0, len(line) - len(pieces)))
    where = dict(zip(pieces, line[begin:], strict=False))
    free = [place for place in board.land if place not in where.values()]
    return position | {
        "positions": where | dict(zip(pieces[len(where) :], rng.sample(free, len(pieces) - len(where)), strict=True))
    }


def in_cone(position: dict, board: Board, rng: Random) -> dict:
    """The same position with the other pieces behind one of them, as the active hero sees it: slanted pushes that collide."""
    user, *others = sorted(position["positions"], key=lambda piece: (piece != position["active"], rng.random()))
    here = position["positions"][user]
    near = [place for place in board.land if distance(here, place) in (2, 3) and way(here, place)[3] > 0]
    if not near:
        return position
    front = rng.choice(near)
    gap = distance(here, front)
    behind = [place for place in board.land if distance(here, place) - gap == distance(front, place) >= 2]
    rest = [place for place in board.land if place not in behind and place not in (here, front)]
    rng.shuffle(behind)
    rng.shuffle(rest)
    return position | {"positions": dict(zip([user, *others], [here, front, *behind, *rest], strict=False))}


def random_resolutions(seed: int, wanted: int) -> Counter[str]:
    """Resolve random abilities in random positions of random card files; returns the counts."""
    rng, watch, workspace = Random(seed), Watch(), bench_for(GAME)
    done = 0
    while done < wanted:
        document, sets = random_document(rng), {}
        for _ in range(POSITIONS_PER_DOCUMENT):
            position = random_position(document, rng)
            board = position["board"]
            sets[board] = sets.get(board) or card_set(document, board)
            kind = rng.random()
            if kind < IN_LINE:
                position = in_line(position, board_named(sets[board]), rng)
            elif kind < IN_LINE + IN_CONE:
                position = in_cone(position, board_named(sets[board]), rng)
            model = Model.at(document, position)
            game = Kernels(sets[board], workspace).place(position)
            done += resolve_both(model, game, rng, watch, f"seed={seed}, resolution {done}")
    return watch.seen


def test_kernels_and_model_agree_on_random_resolutions():
    random_resolutions(FIXED, RESOLUTIONS_PER_COMMIT)


@pytest.mark.soak
def test_kernels_and_model_agree_in_every_situation_and_with_every_switch():
    seen = random_resolutions(FIXED, RESOLUTIONS)
    missing = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not missing, f"situations that came up too rarely: {missing}"
    switches = {f"{name}={value}" for name, values in RULE_VALUES.items() for value in [*values, DEFAULT_RULES[name]]}
    rare = {name: seen[name] for name in switches if seen[name] < SWITCH_LEAST}
    assert not rare, f"switches that were set too rarely: {rare}"


@pytest.mark.soak
def test_kernels_and_model_agree_on_resolutions_of_a_fresh_seed():
    random_resolutions(SystemRandom().randrange(2**32), RESOLUTIONS)
