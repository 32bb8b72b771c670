"""How a report was made: what was played, by which versions, and where every number of the cards comes from."""

import platform
import re
from importlib.metadata import PackageNotFoundError, version

from analysis.report.answers.prose import at_seats
from analysis.report.model import Fact, Table
from analysis.study import Study
from analysis.wording import THIN, count

PACKAGE = "fairfight"
BESIDE = ("numpy", "numba", "scipy", "statsmodels")


def facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Whatever one must know to repeat the report, and the command that does it."""
    played = [_played(study, seats) for seats in study.seats]
    other = study.beside
    beside = [Fact("Policy beside it", f"{other} in every seat: {other.in_words}; as many games")] if other else []
    budget = study.budget
    further = f"about {count(budget.step_games)} of the outlier for each number changed by one step (seed "
    further += (
        f"{study.fresh_seed}, so that they are not the games that chose it), as many at every number of seats for "
    )
    further += f"the step that is named (seed {study.retest_seed}), "
    further += (
        f"{count(budget.variant_games)} for each reading of the rules; {count(budget.rolls)} samples of each roll; "
    )
    further += f"{count(budget.replays)} games replayed for maps; as far as the game has these questions"
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        *beside,
        *played,
        Fact("Other games", further),
        Fact("Seed", f"{study.seed}, dice keyed by seat"),
        Fact("Card set", f"{study.cards.title}, digest {study.cards.digest}"),
        Fact(
            "Versions", ", ".join([f"{PACKAGE} {_version(PACKAGE)}", f"Python {platform.python_version()}", *_beside()])
        ),
        *([Fact("Command", command, code=True)] if command else []),
    )


def provenance(study: Study) -> tuple[Table, ...]:
    """Every number of the card file with its source, and the rules as read."""
    numbers = tuple((number.path, number.value, number.source) for number in study.cards.provenance)
    rules = tuple((name.replace("_", " "), _word(value)) for name, value in study.cards.switches.items())
    tables = (
        [Table("numbers", ("field", "value", "source"), numbers, "Where every number comes from")] if numbers else []
    )
    return (*tables, *([Table("rules", ("rule", "as played"), rules, "How the rules are read")] if rules else []))


def _played(study: Study, seats: int) -> Fact:
    experiment = study.main(seats)
    design = re.sub(r"(?<=\d),(?=\d{3})", THIN, experiment.design)
    said = design if design[0].isdigit() else f"{count(experiment.games)} games, {design}"
    return Fact(f"Games {at_seats(seats)}", said)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _beside() -> list[str]:
    return [f"{name} {_version(name)}" for name in BESIDE]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source"
