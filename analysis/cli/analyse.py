"""The commands that analyse a game: `matchups`, `pace`, `seats`, `skill`.

The main chart of each command, in the form that reports use for the same question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pandas as pd
import typer
from matplotlib.figure import Figure

from analysis import interrupts
from analysis.charts import choices, dumbbell, forest, gains, heatmap, lines, reliability, twofold
from analysis.cli.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Forbid,
    Force,
    GameName,
    Jobs,
    LineUp,
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    forbidden_of,
    open_decks,
    planned,
    policies_of,
    prepare,
    stored,
)
from analysis.data.names import line_up_of
from analysis.data.usage import CardTally
from analysis.decks.cards import LoadoutEffects, pooled_cards
from analysis.decks.tables import slots_of
from analysis.dice.duels import Fought
from analysis.document import prose
from analysis.document.model import count
from analysis.first_player.section import SeatSummary, judged_rows
from analysis.matchups.section import MatchupStudy
from analysis.output import terminal
from analysis.output.files import check_absent, check_files, draw, wrote
from analysis.output.terminal import Ticker, clear_messages
from analysis.skill.levels import LEVELS
from analysis.stats.sequential import ALIKE, FIRST, OPEN, SECOND
from analysis.timeline.courses import Courses
from analysis.timeline.section import leads_frame
from analysis.tuning.confirm import Tuned
from analysis.tuning.section import rates_figure
from analysis.variants.compare import WhatIf
from analysis.variants.interactions import Screen
from analysis.winrates import play, tables
from analysis.winrates.play import Played
from analysis.winrates.rates import fair_share
from analysis.winrates.strongest import Standing, Verdict

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.matchups.section import MatchupStudy


def matchups_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int, typer.Option("--games", help=f"{IN_ALL}, rounded up so that all pairs of entrants meet equally often.")
    ] = 20_000,
    policy: PolicyNames = "greedy",
    forbid: Forbid = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Who beats whom at two seats: ratings and whether they fit, cycles, and the equilibrium of informed players.

    All pairs of entrants play from both seats with the same dice, and the two games are analysed as a pair.

    Example: fairfight matchups arena --games 50000 --policy random
    """
    from analysis.data.decks import DeckChoice
    from analysis.matchups.section import as_played, matchup_study, matchup_tables, paired
    from analysis.winrates.play import SoFar, counted

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        held = stored(game)
        if held is None:
            experiment = paired(found, card_set, policies_of(policy), games, seed)
            experiment = replace(experiment, forbidden=forbidden_of(forbid))
        else:
            experiment = as_played(replace(held, games_wanted=games))
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            play = SoFar(counted(ticker, workers, experiment.games))
            study = matchup_study(experiment, play)
        draw(chart, lambda: _drawn(study), f"Who beats whom in {found.title}")
        terminal.show(matchup_tables(play.shown(experiment), study), as_json, csv)
    play.leave(experiment)


def _drawn(study: MatchupStudy) -> Figure:
    """The main chart of `matchups`."""
    return matchups(study)


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.timeline.courses import Courses


def pace_command(
    game: GameName,
    games: Annotated[int, typer.Option("--games", help=f"{IN_ALL}, replayed and evaluated turn by turn.")] = 400,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    line_up: LineUp = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """How a game develops: length, lead changes, when the winner takes the lead for good, comebacks, the worth of a lead.

    Example: fairfight pace arena --games 400 --seats 2
    """
    from analysis.data.decks import DeckChoice
    from analysis.timeline.courses import check_opponent, played
    from analysis.timeline.tables import PaceStats
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        seated = line_up_of(line_up, found, card_set, seats)
        experiment = planned(game, games) or Experiment(
            found.name, card_set, seats, policies_of(policy), games, seed, line_up=seated
        )
        check_opponent(experiment.seats)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        prepare(found, "evaluation")
        with Ticker() as ticker:
            courses = played(experiment, games, workers, lambda done: ticker("replays", done, games), so_far=True)
        draw(chart, lambda: _pace_drawn(courses), f"Leads in {found.title}")
        terminal.show(PaceStats(experiment, courses), as_json, csv)
    wanted = min(games, experiment.games)
    if len(courses.index) < wanted:
        interrupts.leave(f"shown: the first {count(len(courses.index))} of {count(wanted)} games")


def _pace_drawn(courses: Courses) -> Figure | None:
    """The main chart of `pace`."""
    return pace(courses)


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.first_player.section import SeatSummary

GAMES = 20_000
GAMES_MOST = (
    2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables
)


def seats_command(
    game: GameName,
    cards: Cards = None,
    seats: Seats = 2,
    games: Annotated[
        int,
        typer.Option(
            "--games", help=f"{IN_ALL}, including those of every value tried, each part rounded up to whole rounds."
        ),
    ] = GAMES,
    compensate: Annotated[
        bool,
        typer.Option(
            "--compensate/--no-compensate", help="Search for values of the rules that make up for going second."
        ),
    ] = True,
    policy: PolicyNames = "greedy",
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """The worth of going first, overall and by matchup, from paired games; and which rule would make it fair.

    Example: fairfight seats arena --games 20000

    Example: fairfight seats runeslingers --compensate
    """
    from analysis.data.decks import DeckChoice
    from analysis.first_player.section import summarise
    from analysis.winrates.play import counted
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), games, seed)
        if seats == 1:
            raise ValueError("seats=1 must be at least 2, so that a player can go first")
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = summarise(experiment, games, compensate, counted(ticker, workers), stored(game, GAMES_MOST))
        draw(chart, lambda: _seats_drawn(result), f"Going first in {found.title}")
        terminal.show(result, as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.experiment.games)} games")


def _seats_drawn(result: SeatSummary) -> Figure:
    """The main chart of `seats`."""
    return seats(result)


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.skill.ladder import Skill


def skill_command(
    game: GameName,
    levels: Annotated[
        str, typer.Option("--levels", metavar="P,P[,P...]", help="Policies, the lowest level first.")
    ] = ",".join(LEVELS),
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, divided among the levels in the usual proportions; the default depends on game and level. "
            "At least a round of line-ups for each level and each pair of levels.",
        ),
    ] = None,
    level_games: Annotated[
        int | None,
        typer.Option("--level-games", help="Instead: games of every entrant at each level."),
    ] = None,
    pair_games: Annotated[
        int | None,
        typer.Option("--pair-games", help="Instead: games of each pair of levels against each other."),
    ] = None,
    seats: Seats = 2,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder for all charts, PNG and SVG.")
    ] = None,
) -> None:
    """Which level of play beats which, and which entrants are strong or weak at which level.

    Levels are played from the lowest up; if interrupted, the command shows the finished ones.

    Example: fairfight skill arena --levels random,greedy:4,search:200
    """
    from analysis.data.decks import DeckChoice
    from analysis.document.model import check_folder
    from analysis.skill.ladder import Plan, gathered, skill
    from analysis.skill.levels import levels_of
    from analysis.skill.section import SkillTables

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if games is not None and not level_games is pair_games is None:
            raise ValueError(f"--games {games}: covers all games; leave --level-games and --pair-games out")
        plan = Plan(found, card_set, levels_of(levels), seats, level_games, pair_games, seed)
        plan = plan if games is None else plan.afforded(games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        folder = check_folder(out) if out else None
        for file in charts_in(folder) if folder else ():
            check_absent(file, force)
        prepare(found)
        with Ticker() as ticker:
            result = skill(plan, gathered(ticker, workers))
        if folder:
            from analysis.skill.section import write_charts

            for file in write_charts(result, folder):
                wrote(file)
        draw(chart, lambda: _skill_drawn(result), f"Levels of play in {found.title}")
        terminal.show(SkillTables(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: {count(result.games)} games of the levels up to {result.names[-1]}")


def charts_in(folder: Path) -> list[Path]:
    """Files that `--out` writes."""
    return [folder / f"{name}{ending}" for name in ("ladder", "levels") for ending in (".png", ".svg")]


def _skill_drawn(result: Skill) -> Figure:
    """The main chart of `skill`."""
    from analysis.skill.section import levels_chart

    return levels_chart(result.balance)


if TYPE_CHECKING:
    from analysis.training.train import Trained

SURE = 0.05
ENDS = 15  # rows shown from each end of a long chart
EVEN = 0.5
WORDS = (prose.TOO_STRONG, prose.TOO_WEAK)


def win_rates(played: Played) -> Figure | None:
    """Win rates with intervals; for teams those of their parts, for very many entrants both ends."""
    seats, parts = played.experiment.seats, played.parts
    if parts is not None and played.experiment.line_up is None:
        fair = fair_share(seats, float(played.tally.decided[seats]))
        frame = (played.until.rates if played.until else parts.rates)(fair)
    else:
        frame = play.judged_so_far(tables.win_rates(played), played)
        line_up = played.experiment.line_up
        frame = frame if line_up is None else frame[frame["entrant"].isin(line_up)]
    return _forest(frame.assign(seats=seats))


def _forest(frame: pd.DataFrame) -> Figure | None:
    """Forest plot of win rates, with verdicts if there are any."""
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    if "verdict" not in known:
        known = known.assign(verdict="")
    return forest(_ends(known.sort_values("estimate", ascending=False, kind="stable")))


def _ends(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame, or both ends of a long one."""
    return frame if len(frame) <= 2 * ENDS else pd.concat([frame.head(ENDS), frame.tail(ENDS)])


def matchups(study: MatchupStudy) -> Figure:
    """Who beats whom."""
    return heatmap(study.pairs)


def seats(result: SeatSummary) -> Figure:
    """Win share of the first player, overall and in the matchups farthest from fair."""
    return forest(judged_rows([result]), panels="panel")


def pace(courses: Courses) -> Figure | None:
    """By turn: how often the leader wins, and the share of games led for good; None if no game has a single winner."""
    return lines(leads_frame(courses), label="end of turn") if (courses.winner >= 0).any() else None


def what_if(result: WhatIf) -> Figure | None:
    """Win rates before and after."""
    if result.rates.empty:
        return None
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    frame = result.rates.rename(columns=names).sort_values("first", ascending=False, kind="stable")
    return dumbbell(_ends(frame), words=("before", "after"), label="win rate", change="change, points")


def screen(result: Screen) -> Figure:
    """Size of the effect of each number, and how much it depends on the others."""
    if result.method == "morris":
        names, label = ("mu_star", "sigma"), "change of the outcome per step, percentage points"
        words = ("mean size of the effect (mu*)", "dependence on the others (sigma)")
    else:
        names, label = ("s1", "st"), "share of the variance"
        words = ("alone (first order)", "with its interactions (total)")
    columns = {
        f"{name}{end}": f"{place}{end}"
        for name, place in zip(names, ("first", "second"), strict=True)
        for end in _BOUNDS
    }
    frame = result.effects.rename(columns={"path": "name"} | columns)
    frame = frame[["name", *columns.values()]].assign(n=result.points)
    frame = frame.sort_values("second", ascending=False, kind="stable")
    return dumbbell(frame, words=words, label=label, what="points")


_BOUNDS = ("", "_low", "_high")


def tuned_rates(result: Tuned) -> Figure:
    """Win rates now and with the changes."""
    return rates_figure(result)


def compare(result: Verdict) -> Figure:
    """The shares of two entrants with confidence sequences and the decision of the test; the band is the margin."""
    columns = ["name", "estimate", "low", "high", "pairs", "n", "truncated"]
    frame = pd.DataFrame(result.main().rows, columns=columns)
    judged = {FIRST: WORDS, SECOND: WORDS[::-1], ALIKE: (prose.FAIR,) * 2, OPEN: (prose.OPEN,) * 2}
    band = result.duel.margin / EVEN
    return forest(frame.assign(seats=2, fair=EVEN, verdict=judged[result.duel.decision]), band=band)


def strongest(result: Standing) -> Figure | None:
    """Win rates of all entrants with their confidence sequences."""
    seats_ = result.experiment.seats
    return _forest(result.frame.assign(seats=seats_, fair=1 / seats_))


def loadouts(result: LoadoutEffects) -> Figure | None:
    """Win rates with every loadout, by deck; without other loadouts, the worth of their parts; None without either."""
    if not result.loadouts.empty:
        frame = result.loadouts.assign(sure=result.loadouts["p_holm"] < SURE)
        rest = [", ".join(str(row[slot]) for slot in slots_of(result.loadouts)[1:]) for _, row in frame.iterrows()]
        drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
        return choices(drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"}))
    if result.blanks.empty:
        return None
    frame = result.blanks.assign(sure=result.blanks["p_holm"] < SURE, panel=result.blanks["slot"])
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    return gains(frame.assign(name=names), counts=("games", "Games: played with and without it."), bars=True)


def cards(tally: CardTally, effects: pd.DataFrame) -> Figure | None:
    """Effects of cards from replacements, else win rates when drawn minus not drawn, over all entrants; both ends of many."""
    if len(effects):
        several = len(set(effects["name"])) > 1
        frame = effects.sort_values("effect", ascending=False, kind="stable")
        names = frame["name"] + ": " + frame["card_name"] if several else frame["card_name"]
        frame = frame.assign(name=names, estimate=frame["effect"], sure=frame["p_holm"] < SURE)
        words = ("with the card minus with plain ones", "")
        return twofold(_ends(frame[["name", "estimate", "low", "high", "n", "sure"]]), words=words, what="pairs")
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    drawn = frame.assign(name=frame["card_name"], estimate=frame["change"], sure=frame["p_holm"] < SURE)
    drawn = drawn.drop(columns="n").rename(columns={"n_drawn": "n"})[["name", "estimate", "low", "high", "n", "sure"]]
    return twofold(_ends(drawn), words=("drawn minus not drawn (conditional)", ""), what="drawn")


def duel(result: Fought) -> Figure:
    """Endings of a duel: exact probabilities beside simulated shares."""
    rows = [
        {"name": line["ending"], "first": line["exact"], "second": line["simulated"]}
        | {
            "first_low": line["exact"],
            "first_high": line["exact"],
            "second_low": line["low"],
            "second_high": line["high"],
        }
        for line in result.endings()
    ]
    frame = pd.DataFrame(rows).assign(n=result.agreement.n)
    return dumbbell(frame, words=("exact", "simulated"), label="chance", what="duels")


def trained(results: Sequence[Trained]) -> Figure:
    """Reliability of the evaluations of positions."""
    return reliability(
        pd.concat([result.reliability.assign(seats=result.seats) for result in results], ignore_index=True)
    )
