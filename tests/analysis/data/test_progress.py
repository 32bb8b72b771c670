"""Progress of a study: names of stages, and games played of games in all."""

from analysis.data.study import Study
from tests.every_game.play import experiment


def watched(base) -> tuple[Study, list[tuple[str, int, int]]]:
    """A study, and what it reports."""
    reported: list[tuple[str, int, int]] = []
    return Study.of(base, 1, lambda *line: reported.append(line)), reported


def test_a_stage_never_counts_more_games_than_it_has(coin_duel):
    base = experiment(coin_duel, 30)
    study, reported = watched(base)
    play = study.play_as("going first", base.games + 1)  # estimated before games were added to whole rounds
    for _ in range(2):
        list(play(base))
    assert all(done <= total for _, done, total in reported)
    assert reported[0][2] == base.games + 1
    assert reported[-1] == ("going first", 2 * base.games, 2 * base.games)


def test_one_seat_is_written_in_the_singular(lone_climb):
    study, reported = watched(experiment(lone_climb, 30))
    assert study.tally
    assert {stage for stage, *_ in reported} == {"random, 1 seat"}
