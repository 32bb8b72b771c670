"""`tune --only` on planted imbalances: one number of a fair entrant, moved by one to three steps so that it leaves the fair band.

The reference sets are not balanced themselves, so the altered entrants are those that strong players find fair in them (Erosion
of Runeslingers, at 55.2 %, has a band of its own), and only their win rates count. A case is passed if the first proposal undoes
the change, or is as small (as many numbers, no more steps) and the strong players find the entrant within the band in games of
a seed of its own. Goal: 18 of 20.

    python -m tests.soak.test_planted [SECONDS [CASE ...]]

prints a line for each case. SECONDS: of games of a search on two cores, 60 by default, as in the command.
"""

import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest

from analysis.data.names import policy_of
from analysis.data.players import QUICK, SEARCH
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.tuning.confirm import Tuned
from analysis.tuning.goal import Band, Goal, NoNumberError
from analysis.tuning.named import tune_named
from analysis.variants.variant import difference, edited, part_of, unit_names
from sim.engine.cards import CardSet
from sim.registry import game_named
from sim.seeds import derived_seed

GAMES = 1_000  # of the entrant, with strong players, that judge a proposal
LOOK = 300  # games that show what the planted change does
PASSED = 18


@dataclass(frozen=True)
class Case:
    """A planted imbalance. setting: the changed number; steps: number of steps up or down; band: in per cent."""

    game: str
    entrant: str
    setting: str
    steps: int
    band: str = "45:55"


CASES = (
    Case("arena", "hook_thrower", "hero.hook_thrower.defence=3", 1),
    Case("arena", "hook_thrower", "hero.hook_thrower.ability.hook.attack=5", 2),
    Case("arena", "hook_thrower", "hero.hook_thrower.move=2", -1),
    Case("arena", "bow_master", "hero.bow_master.defence=1", -1),
    Case("arena", "temple_guard", "hero.temple_guard.defence=4", 1),
    Case("rookling", "banner", "rookling.banner.line.lance.amount=6", 3),
    Case("rookling", "valt", "rookling.valt.line.arc.amount=6", 3),
    Case("rookling", "stone", "rookling.stone.line.boulder.number=2", -2),
    Case("rookling", "spring", "rookling.spring.line.splash.amount=6", 3),
    Case("cardrogue", "warrior", "character.warrior.max_health=15", 3),
    Case("cardrogue", "warrior", "character.warrior.traits[0].n=4", 3),
    Case("cardrogue", "cleric", "character.cleric.max_health=7", -3),
    Case("riftborn", "soldier_line", "card.soldier_guard.attack=5", 3),
    Case("riftborn", "soldier_line", "card.soldier_recruit.attack=4", 2),
    Case("riftborn", "undead_attrition", "card.undead_skeleton.attack=3", 1),
    Case("riftborn", "undead_attrition", "card.undead_leech.attack=0", -3),
    Case("runeslingers", "erosion", "ability.kindle.effects[0].n=2", 1, "50:60"),
    Case("runeslingers", "erosion", "stance.talakas_heart.triggers[0].effects[0].n=4", 2, "50:60"),
    Case("runeslingers", "erosion", "card.deep_void.effects[0].n=7", 3, "50:60"),
    Case("runeslingers", "erosion", "card.deep_void.effects[0].n=1", -3, "50:60"),
)


def planted(case: Case) -> CardSet:
    """The cards of a case."""
    game = game_named(case.game)
    return edited(game, game.load(None), [case.setting]).cards


def strength(case: Case, cards: CardSet, games: int = GAMES) -> tuple[float, float]:
    """Win rate of the entrant with strong players, and the fair share, among games with a winner."""
    game = game_named(case.game)
    seed = derived_seed(1, "judge of planted imbalances")
    whole = Study(game, cards).experiment(2, 1)
    teams = whole.teams
    units = teams.ids if teams else cards.ids
    size = teams.size if teams else 1
    chosen = part_of(replace(whole, seed=seed), 0, games * len(units) // (2 * size), units.index(case.entrant))
    shares = Shares.of(chosen)
    lines = difference(chosen, shares, shares).set_index("name").reindex(unit_names(chosen))
    fair = float(shares.share[~shares.truncated].sum(axis=1).mean()) / 2
    return float(lines["before"].iloc[units.index(case.entrant)]) / (2 * fair), fair


def proposal(case: Case, seconds: float) -> Tuned:
    """The first proposal of `tune --only`. seconds: of games on two cores."""
    game, cards = game_named(case.game), planted(case)
    quick = policy_of(QUICK)
    study = Study(game, cards)
    if study.policy != quick:
        study = replace(study, policy=quick, quick=True)
    low, high = (float(edge) / 100 for edge in case.band.split(":"))
    unit = study.unit_ids.index(case.entrant)
    tuned, _ = tune_named(study, Goal(Band(low, high), only=(unit,)), seconds)
    return tuned


def judged(case: Case, seconds: float) -> dict[str, object]:
    """The proposal of a case, and whether it passes."""
    low, high = (float(edge) / 100 for edge in case.band.split(":"))
    before, _ = strength(case, planted(case), LOOK)
    try:
        tuned = proposal(case, seconds)
    except NoNumberError:
        return {"case": case, "before": before, "changes": "no number", "after": before, "small": False, "passed": False}
    changes = ", ".join(f"{path}={after} (from {before_})" for path, before_, after in tuned.changes.itertuples(index=False))
    steps = int((tuned.changes["after"] - tuned.changes["before"]).abs().sum())
    small = len(tuned.changes) == 1 and steps <= abs(case.steps)
    after, _ = strength(case, tuned.cards)
    reaches = low <= after <= high
    game = game_named(case.game)
    undone = tuned.cards.digest == game.load(None).digest
    passed = undone or (small and reaches)
    return {"case": case, "before": before, "changes": changes, "after": after, "small": small, "passed": passed}


def line(number: int, result: dict[str, object]) -> str:
    """A line about a case."""
    case = result["case"]
    assert isinstance(case, Case)
    word = "passed" if result["passed"] else "FAILED"
    kind = "" if result["small"] else " (larger than planted)"
    return (
        f"{number:2} {word} {case.game} {case.entrant} {case.setting}: {100 * float(str(result['before'])):.1f} % "
        f"-> {result['changes'] or 'none'}{kind}: {100 * float(str(result['after'])):.1f} %"
    )


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.setting)
def test_a_planted_change_takes_the_entrant_out_of_the_band(case):
    low, high = (float(edge) / 100 for edge in case.band.split(":"))
    assert low <= strength(case, game_named(case.game).load(None))[0] <= high
    assert not low <= strength(case, planted(case))[0] <= high


@pytest.mark.soak
def test_most_planted_imbalances_are_undone_or_matched_by_as_small_a_change():
    results = [judged(case, SEARCH) for case in CASES]
    lines = [line(number, result) for number, result in enumerate(results)]
    assert len(results) == 20
    assert np.sum([bool(result["passed"]) for result in results]) >= PASSED, "\n".join(lines)


def main() -> None:
    """Print a line for each case."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SEARCH
    numbers = [int(text) for text in sys.argv[2:]] or range(len(CASES))
    passed = 0
    for number in numbers:
        result = judged(CASES[number], seconds)
        passed += bool(result["passed"])
        sys.stdout.write(f"{line(number, result)}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{passed} of {len(numbers)} passed\n")


if __name__ == "__main__":
    main()
