"""The commands that analyse a game: `pace`, `matchups`, `seats`, `skill`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analysis.answer.numbers import count
from analysis.cli.options import Asked, common, prepare, stored
from analysis.output import terminal
from analysis.output.files import check_absent, wrote
from analysis.skill.levels import LEVELS

GAMES_MOST = 2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables


@common()
def seats_command(asked: Asked, games: int = 20_000, sweep: bool = True) -> None:
    """The worth of going first, overall, by matchup and over the values of rules, from paired games.

    --games: Games played in all, including those of every value of a rule, each part rounded up to whole rounds.
    --sweep/--no-sweep: Also play with other values of the rules that can make up for going second.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --no-sweep
    """
    from analysis.first_player.section import seats_result
    from analysis.first_player.worth import measured
    from analysis.winrates.play import counted

    experiment = asked.experiment(games)
    if asked.seats == 1:
        raise ValueError("seats=1 must be at least 2, so that a player can go first")
    with asked.playing() as ticker:
        worth = measured(experiment, games, sweep, counted(ticker, asked.jobs), stored(asked.name, GAMES_MOST))
    shown = f"shown: {count(worth.experiment.games)} games"
    asked.show(seats_result(worth), f"Going first in {asked.game.title}", worth.interrupted and shown)


@common("policy")
def skill_command(
    asked: Asked,
    levels: str = ",".join(LEVELS),
    games: int | None = None,
    level_games: int | None = None,
    pair_games: int | None = None,
    equal_time: float | None = None,
    out: Path | None = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up; if interrupted, the command shows the finished ones.

    --levels P,P[,P...]: Policies, the lowest level first.
    --games: Games played in all, at most, divided among the levels in the usual proportions; the default depends on game and
        level. At least a round of line-ups for each level and each pair of levels.
    --level-games: Instead: games of every entrant at each level.
    --pair-games: Instead: games of each pair of levels against each other.
    --equal-time MS: Milliseconds of a decision: each level gets the samples or playouts that take about this time. They are
        measured first and printed; --levels with the printed names plays the same games again.
    --out DIR: Folder for all charts, PNG and SVG.

    Example: fairfight skill arena --levels random,greedy:4,turn:4:4
    """
    from analysis.answer.files import check_folder
    from analysis.skill.ladder import MS_MAX, Plan, gathered, same_time, skill
    from analysis.skill.levels import levels_of
    from analysis.skill.section import skill_section, write_charts
    from sim.run import loop_of

    if games is not None and not level_games is pair_games is None:
        raise ValueError(f"--games {games}: covers all games; leave --level-games and --pair-games out")
    plan = Plan(asked.game, asked.cards, levels_of(levels), asked.seats, level_games, pair_games, asked.seed)
    plan = plan if games is None else plan.afforded(games)
    folder = check_folder(out) if out else None
    for file in [folder / f"{name}{ending}" for name in ("ladder", "levels") for ending in (".png", ".svg")] if folder else ():
        check_absent(file, asked.force)
    if equal_time is not None:
        if not 0 < equal_time <= MS_MAX:
            raise ValueError(f"--equal-time {equal_time:g}: must be above 0 and at most {MS_MAX}")
        prepare(asked.game, loop_of(plan.levels))
        scaled = same_time(plan, equal_time)
        terminal.note(f"milliseconds per decision: {', '.join(f'{level} {spent:.3g}' for level, spent in scaled)}")
        plan = replace(plan, levels=tuple(level for level, _ in scaled))
    with asked.playing(loop_of(plan.levels)) as ticker:
        result = skill(plan, gathered(ticker, asked.jobs))
    if folder:
        for file in write_charts(result, folder):
            wrote(file)
    shown = f"shown: {count(result.games)} games of the levels up to {result.names[-1]}"
    asked.show(skill_section(result), f"Levels of play in {asked.game.title}", result.interrupted and shown)
