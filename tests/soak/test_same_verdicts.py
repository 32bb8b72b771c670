"""Every place that names entrants as too strong or too weak names the same ones, seed for seed, at the same number of games."""

import pytest

import fairfight as ff
from analysis.data.budget import Budget
from analysis.data.players import QUICK
from analysis.data.study import Study
from analysis.games import experiment_of
from analysis.questions.explain import Subject, unit_evidence
from analysis.teams.findings import part_verdicts
from analysis.winrates.study_rates import entrant_rates
from sim.engine.policies import PolicySpec
from sim.registry import GAMES
from tests.conftest import BUILT_IN
from tests.every_game.play import shortened

pytestmark = pytest.mark.soak

SEEDS = shortened(100, 5)
SCALE = 0.2  # of the games of a report
AGREEING = 0.95  # of the seeds, at least


def by_command(game: str, games: int, seed: int) -> dict[str, str]:
    """Verdicts of `winrates` by name, of parts where entrants are teams."""
    frame = ff.winrates(game, games, policy=QUICK, seed=seed, progress=False).frame
    return dict(zip(frame["name"], frame["verdict"], strict=True))


def by_report(study: Study) -> dict[str, str]:
    """Verdicts of a report's first page at the fewest seats with an opponent."""
    frame = part_verdicts(study) if study.has_teams else entrant_rates(study)
    if "seats" in frame:
        frame = frame[frame["seats"] == min(study.contests)]
    return dict(zip(frame["name"], frame["verdict"], strict=True))


def by_explain(study: Study, names: list[str], games: int) -> dict[str, str]:
    """Verdicts of `explain` about these entrants or parts."""
    units = [study.units.index(name) for name in names]
    return {
        name: unit_evidence(study, Subject("", name, study.unit_word, unit), games).row["verdict"]
        for name, unit in zip(names, units, strict=True)
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_command_report_and_explanation_give_the_same_verdicts(name: str):
    game, agreeing = GAMES[name], 0
    for seed in range(1, SEEDS + 1):
        report = Study(game, game.load(None), PolicySpec.parse(QUICK), seed, Budget.of(game).scaled(SCALE), jobs=2)
        verdicts = by_report(report)
        games = int(report.tally.games[min(report.contests)])
        command = by_command(name, games, seed)
        unfair = [entrant for entrant, verdict in command.items() if verdict.startswith("too ")][:2]
        asked = Study.of(experiment_of(name, games, policy=QUICK, seed=seed), jobs=2)
        agreeing += command == verdicts and by_explain(asked, unfair, games).items() <= command.items()
    assert agreeing >= AGREEING * SEEDS, f"{agreeing} of {SEEDS} seeds"
