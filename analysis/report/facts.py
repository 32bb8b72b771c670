"""How a report was made: what was played, by which versions, and where every number of the cards comes from."""

import platform
from importlib.metadata import PackageNotFoundError, version

from analysis.deck_choice import making_of
from analysis.inspecting import weights_words
from analysis.report.answers.fields import value_words
from analysis.report.answers.prose import at_seats, listed
from analysis.report.model import Fact, Table
from analysis.study import Study
from analysis.wording import count

PACKAGE = "fairfight"
BESIDE = ("numpy", "numba", "scipy", "statsmodels")


def facts(study: Study, command: str) -> tuple[Fact, ...]:
    """Whatever one must know to repeat the report, and the command that does it."""
    played = [_played(study, seats) for seats in study.seats]
    other = study.beside
    beside = [Fact("Policy beside it", f"{other} in every seat: {other.in_words}; as many games")] if other else []
    further = "; ".join(_further(study))
    return (
        Fact("Policy", f"{study.policy} in every seat: {study.policy.in_words}"),
        *beside,
        *played,
        *([Fact("Other games", further)] if further else []),
        Fact("Seed", f"{study.seed}, dice keyed by seat"),
        *made_with(study, command),
    )


def made_with(study: Study, command: str) -> tuple[Fact, ...]:
    """The cards, the versions and the command, as every page of a game tells them."""
    named = f"{study.cards.title}, digest {study.cards.digest}"
    versions = [f"{PACKAGE} {_version(PACKAGE)}", f"Python {platform.python_version()}", *_beside()]
    return (
        Fact("Card set", "; ".join(filter(None, (named, weights_words(study.cards))))),
        *([Fact("Decks", f"{count(len(study.names))}: {listed(study.names)}")] if study.game.decks else []),
        *([Fact("Making of the decks", "; ".join(made))] if (made := making_of(study.cards)) else []),
        Fact("Versions", ", ".join(versions)),
        *([Fact("Command", command, code=True)] if command else []),
    )


def _further(study: Study) -> list[str]:
    """What is played besides, for the questions that the game has."""
    budget, asked = study.budget, {question.chart: question for question in study.game.questions}
    fresh = f"seed {study.fresh_seed}, so that they are not the games that chose it"

    def games(chart: str, usual: int) -> str:
        return count(study.games_for(asked[chart], usual) if chart in asked else usual)

    outlier = (
        f"about {count(budget.step_games)} of the outlier for each number changed by one step ({fresh}), as many at "
        f"every number of seats for the step that is named (seed {study.retest_seed})"
    )
    said = {
        "tornado": outlier,
        "part_levers": outlier,
        "card_levers": f"about {games('card_levers', budget.step_games)} of each {study.game.entrant_word} tried for every "
        f"number of its cards that moved most in a first look (seed {study.fresh_seed}), as many for the step that is named "
        f"(seed {study.retest_seed})",
        "keywords": f"about {games('keywords', budget.games)} between {study.game.entrants_word} by lot "
        f"(seed {study.fresh_seed})",
        "makers": f"{games('makers', budget.games)} between {study.game.entrants_word} made in each way "
        f"(seed {study.fresh_seed})",
        "removals": f"about {games('removals', budget.step_games)} of each {study.game.entrant_word} tried without each of its "
        f"keywords (seed {study.fresh_seed})",
        "kits": f"about {games('kits', budget.step_games)} of each {study.game.entrant_word} tried with every kit that it may "
        f"bring (seed {study.fresh_seed})",
        "league": f"about {count(budget.retest_games)} of each of the best and the worst {study.game.entrants_word} "
        f"(seed {study.retest_seed}, which had no part in choosing them)",
        "draft": f"{games('draft', budget.draft_games)} drafts by each policy (seed {study.fresh_seed})",
        "shared_tornado": f"about {games('shared_tornado', budget.shared_games)} for each number that belongs to no "
        f"{study.unit_word}, "
        f"changed by one step (seed {study.fresh_seed}), as many for the steps that are named (seed {study.retest_seed})",
        "variants": f"about {games('variants', budget.variant_games)} for each reading of the rules",
        "rule_off": f"about {games('rule_off', budget.variant_games)} without a rule",
        "sweep": f"about {games('sweep', budget.variant_games)} for each value of a number",
        "settings": f"about {games('settings', budget.variant_games)} for each value of a setting",
        "dice": f"{count(budget.rolls)} samples of each roll",
        "board": f"{count(budget.replays)} games replayed for maps",
    }
    if study.game.decks:
        said["cards"] = (
            f"about {games('cards', budget.step_games)} of each {study.game.entrant_word} looked at for every "
        )
        said["cards"] += f"card of it replaced (seed {study.fresh_seed})"
    return [words for chart, words in said.items() if chart in asked]


def provenance(study: Study) -> tuple[Table, ...]:
    """Every number of the card file with its source, and the rules as read."""
    numbers = tuple((number.path, number.value, number.source) for number in study.cards.provenance)
    rules = tuple((name.replace("_", " "), value_words(value)) for name, value in study.cards.switches.items())
    tables = (
        [Table("numbers", ("field", "value", "source"), numbers, "Where every number comes from")] if numbers else []
    )
    return (*tables, *([Table("rules", ("rule", "as played"), rules, "How the rules are read")] if rules else []))


def _played(study: Study, seats: int) -> Fact:
    experiment = study.main(seats)
    design = experiment.design
    said = design if design[0].isdigit() else f"{count(experiment.games)} games, {design}"
    return Fact(f"Games {at_seats(seats)}", said)


def _beside() -> list[str]:
    return [f"{name} {_version(name)}" for name in BESIDE]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source"
