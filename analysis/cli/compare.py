"""The commands that compare: `whatif`, `sensitivity`, `screen`, `forbid`, `cardstats`, `loadouts`.

The commands `tune`, which proposes changes, and `train`, which fits how players evaluate positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts
from analysis.cli.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Force,
    GameName,
    Jobs,
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    open_decks,
    policies_of,
    prepare,
    stored,
)
from analysis.data.names import entrant_of, words_for
from analysis.output import terminal
from analysis.output.files import CHARTS, check_files, draw, listed, wrote
from analysis.output.terminal import Ticker, clear_messages
from sim.stopping import writing

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.variants.compare import WhatIf
    from analysis.variants.interactions import Screen

GAMES = 20_000  # default of a what-if before the change, without --precision
MOST = 2_000_000  # default with --precision
STEP_GAMES = 200_000  # default of all steps together, without --precision
POINT_GAMES = 2_000  # default of each point of a screen

Precision = Annotated[
    float | None,
    typer.Option("--precision", metavar="POINTS", help="Play until every change is known to within this many percentage points."),
]


def whatif_command(
    game: GameName,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="A field and its value, or +1 / -1 for steps; can be repeated."),
    ] = None,
    other: Annotated[
        Path | None, typer.Option("--against", metavar="DIR", help="Instead of a change: folder with another cards.toml.")
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, before and after together; by default {GAMES:,} before, and again those that the change "
            "can affect. At least a round of line-ups before and after.",
        ),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Effect of a changed number on every win rate: the same games with the same dice, before and after.

    Several --set form one change. Rules that the card file leaves at their default can be set too.
    With --against, two card sets play the same games; entrants are matched by their ids.

    Example: fairfight whatif arena --set hero.rhino_guy.move=3

    Example: fairfight whatif arena --cards my-arena --against their-arena
    """
    from analysis.data.decks import DeckChoice
    from analysis.variants.compare import afforded, seated, what_if
    from analysis.variants.tables import WhatIfResult
    from analysis.variants.variant import against, edited
    from analysis.winrates.play import checked_precision
    from sim.experiments.experiment import Experiment
    from sim.weights import loaded

    with clear_messages():
        choice = DeckChoice(decks, only_decks, random_decks, seed)
        found, card_set = open_decks(game, cards, choice)
        if (other is None) == (not changes):
            raise ValueError(
                "whatif: name the change with --set PATH=VALUE, such as --set hero.rhino_guy.move=3, or another card set with "
                "--against DIR; one of the two"
            )
        if other is None:
            change = edited(found, card_set, changes or [])
        else:
            change = against(found, card_set, choice.played(found, loaded(found, other)), seats)
        half_width = None if precision is None else checked_precision(precision)
        usual = GAMES if precision is None else MOST
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual if games is None else games, seed)
        base = seated(base, change)
        base = base if games is None else afforded(base, change, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = what_if(base, change, workers, lambda done, total: ticker("games", done, total), half_width)
        draw(chart, lambda: _drawn(result), f"Win rates of {found.title} before and after")
        terminal.show(WhatIfResult(result), as_json, csv)
    if result.interrupted:
        interrupts.leave(f"shown: the first {result.games:,} of {base.games:,} games each way")


def sensitivity_command(
    game: GameName,
    fields: Annotated[
        str | None,
        typer.Option("--fields", metavar="PATTERN[,PATTERN...]", help="Numbers to change, such as hero.*.move; by default all."),
    ] = None,
    with_fixed: Annotated[
        bool, typer.Option("--with-fixed", help="Also change numbers that the card file marks as fixed.")
    ] = False,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most; by default {STEP_GAMES:,}, with --precision as many as necessary. At least 400 with "
            "the cards unchanged and 400 with each step; for a number of one entrant, games in which it sits.",
        ),
    ] = None,
    precision: Precision = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Which numbers move balance most: every number of the card file one step up and down, in one run.

    Example: fairfight sensitivity arena --precision 1
    """
    from analysis.data.decks import DeckChoice
    from analysis.variants.sensitivity import Asked, check_games, sensitivity
    from analysis.variants.tables import SensitivityResult, figure
    from analysis.variants.variant import candidates
    from analysis.winrates.play import checked_precision
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        patterns = tuple(part.strip() for part in fields.split(",")) if fields else ()
        half_width = None if precision is None else checked_precision(precision)
        most = STEP_GAMES if games is None and precision is None else games
        asked = Asked(half_width, most)
        base = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        tried = candidates(found, card_set, patterns, with_fixed)
        check_games(base, tried, asked)
        prepare(found)
        with Ticker() as ticker:
            result = sensitivity(base, tried, asked, workers, ticker)
        draw(chart, lambda: figure(result), "Change of win rates by number")
        terminal.show(SensitivityResult(result), as_json, csv)


def screen_command(
    game: GameName,
    fields: Annotated[
        str, typer.Option("--fields", metavar="PATTERN[,PATTERN...]", help="Numbers to change, such as hero.rhino_guy.move.")
    ],
    steps: Annotated[int, typer.Option("--steps", help="Steps down and up from the current value of each.")] = 1,
    method: Annotated[
        str, typer.Option("--method", metavar="morris|sobol", help="Elementary effects, or shares of the variance.")
    ] = "morris",
    entrant: Annotated[
        str | None, typer.Option("--entrant", metavar="ID", help="Measure its win rate; by default the spread of all win rates.")
    ] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, over all points of the design; by default {POINT_GAMES:,} for each point. At least 20 "
            "games for each, in whole rounds of line-ups.",
        ),
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Interactions between numbers: how much the effect of each depends on the others.

    Example: fairfight screen arena --fields hero.rhino_guy.move,hero.rhino_guy.defence --entrant rhino_guy --method sobol
    """
    from analysis.data.decks import DeckChoice
    from analysis.variants.interactions import afforded, check_fields, grid_of, method_of, screen, unit_of
    from analysis.variants.tables import ScreenResult
    from analysis.variants.variant import paths_of
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        usual = POINT_GAMES if games is None else games
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual, seed)
        patterns = [part.strip() for part in fields.split(",")]
        grid, refused = grid_of(base, paths_of(card_set, patterns), steps)
        chosen = method_of(method)
        check_fields(grid.paths, chosen)
        unit = None if entrant is None else unit_of(base, entrant)
        base = base if games is None else afforded(base, grid, chosen, unit, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            result = screen(base, grid, chosen, unit, workers, lambda done, total: ticker("games", done, total))
        draw(chart, lambda: _drawn_screen(result), "Effects of numbers, and how much they depend on each other")
        terminal.show(ScreenResult(result, tuple(refused)), as_json, csv)


def _drawn(result: WhatIf) -> Figure | None:
    """The main chart of a what-if."""
    from analysis.variants.section import what_if_chart

    return what_if_chart(result)


def _drawn_screen(result: Screen) -> Figure:
    """The main chart of a screen."""
    from analysis.variants.section import screen_chart

    return screen_chart(result)


ALL_GAMES = 100_000  # of all trials together, with --all

ForbidChart = Annotated[  # --out is its former name
    Path | None, typer.Option("--chart", "--out", metavar="FILE", help=f"Draw the main chart to a {listed(CHARTS)} file.")
]


def ablate_command(
    game: GameName,
    things: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ENTRANT:]THING...", help="Things to forbid one at a time, to one entrant or to all."),
    ] = None,
    entrant: Annotated[str | None, typer.Option("--entrant", metavar="ID", help="Forbid them only to this entrant.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Forbid everything possible to each entrant that uses it, and rank the results.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list what can be forbidden.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, with and without each thing; by default {GAMES:,} with it and again those that it can "
            f"affect, with --all {ALL_GAMES:,}. At least two rounds of line-ups with and without each.",
        ),
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ForbidChart = None,
    force: Force = False,
) -> None:
    """Worth of an ability, a card or a rule: the same games with the same dice, with it and without it.

    Players who may not use a thing also plan without it; they use it only if there is no other legal choice.

    Example: fairfight ablate arena --list

    Example: fairfight ablate arena hero.rhino_guy.charge

    Example: fairfight ablate arena --all --chart worth.png
    """
    from analysis.data.decks import DeckChoice
    from analysis.variants.ablation import affordable, bans_of, everything, things_of, worth
    from analysis.variants.tables import WorthResult, list_table
    from analysis.variants.tables import forbid_figure as figure
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        _check_asked(things or [], entrant, every, listed)
        if listed:
            table = list_table(found, things_of(found, card_set))
            terminal.print_json(table) if as_json else terminal.print_table(table)
            return
        usual = ALL_GAMES if every else GAMES
        base = Experiment(found.name, card_set, seats, policies_of(policy), usual if games is None else games, seed)
        bans = bans_of(base, things or [], entrant)
        if games is not None and not every:
            base = replace(base, games_wanted=affordable(base, bans, games))
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            worths = everything(base, base.games_wanted, workers, ticker) if every else worth(base, bans, workers, ticker)
        result = WorthResult(worths, ranked=every)
        draw(chart, lambda: figure(result), "Worth of abilities, cards and rules")
        terminal.show(result, as_json, csv)
    if worths.games < worths.base.games:
        interrupts.leave(f"shown: the first {worths.games:,} of {worths.base.games:,} games each way")


def _check_asked(things: list[str], entrant: str | None, every: bool, listed: bool) -> None:
    """Raise ValueError unless exactly one question is asked."""
    if (len(things) > 0) + every + listed != 1:
        raise ValueError("ablate: name what to forbid, or use --all, or --list; one of the three")
    if entrant is not None and not things:
        raise ValueError(f"--entrant {entrant}: needs the name of a thing")


USUAL_GAMES, USUAL_PAIRS = 10_000, 1_000  # observed games (with --deck, of the deck), and pairs for each card replaced
LOADOUT_GAMES = 2_000  # of each deck with each loadout


def cardstats_command(
    game: GameName,
    deck: Annotated[str | None, typer.Option("--deck", metavar="ID", help="Only this deck, in all games.")] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most: those in which cards are observed and those with each card replaced. By default, "
            f"{USUAL_GAMES:,} are observed (with --deck, of the deck), plus those of --pairs. Of a run: the games to read.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            help=f"Of these, games of each deck unchanged, and again with each of its cards replaced; 0 for none. By default "
            f"{USUAL_PAIRS:,}, or with --games in proportion.",
        ),
    ] = None,
    by_turn: Annotated[
        int | None, typer.Option("--by-turn", help="Count cards drawn by this turn of the player as drawn.")
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Effect of every card: win rate when drawn, not drawn, played, and with a plain card in its place.

    With many random decks, also the worth of a copy of each card, and of each keyword, over all decks.

    Example: fairfight cardstats rookling --games 20000 --policy random
    """
    from analysis.data.decks import DeckChoice, check_deck_game
    from analysis.data.usage import card_question
    from analysis.decks.section import Selection, afforded, card_study, observed
    from analysis.winrates.play import counted
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        card_question(found)
        if pairs is not None and pairs < 0:
            raise ValueError(f"pairs={pairs} must be at least 0")
        if deck is not None:
            check_deck_game(found, "--deck")
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        read = stored(game) is not None  # the games of a run are given
        wanted = games if read and games is not None else USUAL_GAMES
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        asked = Selection(chosen, USUAL_PAIRS if pairs is None else pairs, by_turn)
        if not read and games is None:
            experiment = observed(experiment, asked, USUAL_GAMES)
        elif not read and games is not None:
            experiment, asked = afforded(experiment, asked, games, fixed=pairs is not None)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            section = card_study(experiment, asked, counted(ticker, workers))
        draw(chart, section.draw, f"Cards of {found.title}")
        terminal.show(section, as_json, csv)


def loadouts_command(
    game: GameName,
    deck: Annotated[str | None, typer.Option("--deck", metavar="ID", help="Only this deck; by default all.")] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, over all decks with all loadouts; by default {LOADOUT_GAMES:,} of each deck with each. At "
            "least a round of line-ups for each.",
        ),
    ] = None,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Win rates of a deck with other loadouts (hero, stance, ability), and the worth of each part of its own loadout.

    Example: fairfight loadouts runeslingers --deck eva_starter --games 1000
    """
    from analysis.data.decks import DeckChoice
    from analysis.decks.loadouts import check_loadouts, loadout_study, loadouts_afforded, pairs_of, steps_of
    from analysis.winrates.play import counted
    from sim.experiments.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        check_loadouts(found)
        chosen = None if deck is None else entrant_of(deck, found, card_set)
        wanted = LOADOUT_GAMES if games is None else games
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), wanted, seed)
        tried = steps_of(found, card_set, chosen)
        experiment = pairs_of(experiment, LOADOUT_GAMES) if games is None else loadouts_afforded(experiment, tried, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            section = loadout_study(experiment, chosen, counted(ticker, workers), tried)
        draw(chart, section.draw, f"Kits of {found.title}")
        terminal.show(section, as_json, csv)


if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.tuning.confirm import Tuned

PER_CHANGE, PER_NUMBER = 3_200, 2_286  # least games, see `tuning.plan`; copied because the help imports nothing


def tune_command(
    game: GameName,
    band: Annotated[
        str, typer.Option("--band", metavar="LOW:HIGH", help="Target win rates at two seats, in per cent; scaled for more.")
    ] = "45:55",
    target: Annotated[
        Path | None,
        typer.Option(
            "--target", metavar="FILE", help="TOML file with target matchups and a first_seat share, instead of a band."
        ),
    ] = None,
    max_changes: Annotated[int, typer.Option("--max-changes", help="Largest number of changes.")] = 8,
    fields: Annotated[
        str | None,
        typer.Option(
            "--fields",
            metavar="PATTERN[,PATTERN]",
            help="Numbers to change, such as hero.*.move; by default those of the entrants.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, including the re-test. At least {PER_CHANGE:,} for each of --max-changes, and about "
            f"{PER_NUMBER:,} for each number that can change; a quarter of that for a number of one entrant out of eight.",
        ),
    ] = 400_000,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the changed card file.")] = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """The fewest, smallest changes of whole numbers that bring every win rate into a band, or the matchups to a target.

    Numbers that the card file marks as fixed are left alone. The proposal is re-tested with games of another seed.

    Example: fairfight tune arena --band 45:55 --out my-arena
    """
    from analysis.data.decks import DeckChoice
    from analysis.training.section import keep_weights
    from analysis.tuning.confirm import check_folder, planned, text_of, tune, values_of, write_changed
    from analysis.tuning.goal import Band, Goal, read_target
    from analysis.tuning.section import Shown
    from sim.experiments.experiment import Experiment
    from sim.run import blocks

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        goal = Goal(Band.parse(band), max_changes, None if target is None else read_target(target))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        if out is not None:
            check_folder(out, force)
        plan, numbers = planned(experiment, goal, games, fields.split(",") if fields else None)
        prepare(found)
        with Ticker("steps") as ticker:
            tuned = tune(experiment, goal, plan, numbers, partial(blocks, jobs=workers), ticker)
        file = None
        if out is not None:
            with writing():  # both files or none
                file = write_changed(text_of(found, card_set), out, values_of(tuned.changes), force)
                keep_weights(found, card_set, file)
            wrote(file)
        draw(chart, lambda: _improve_drawn(tuned), f"Win rates of {found.title} now and with the changes")
        terminal.show(Shown(tuned, file), as_json, csv)


def _improve_drawn(tuned: Tuned) -> Figure:
    """The main chart of `tune`."""
    from analysis.tuning.section import rates_figure

    return rates_figure(tuned)


if TYPE_CHECKING:  # the other commands need no statistics
    from matplotlib.figure import Figure

    from analysis.training.train import Trained
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.experiments.experiment import Experiment

ROUND_GAMES = 20_000  # of a round, by default


def train_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, for all numbers of seats: rounds, trials of fits, check and matches. Branches played from "
            "positions of a game do not count. By default, --round-games decides.",
        ),
    ] = None,
    round_games: Annotated[
        int | None,
        typer.Option("--round-games", help=f"Instead: games of a round, for each number of seats; default {ROUND_GAMES:,}."),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", help="Rounds of playing and fitting, each with the weights of the last.")
    ] = 2,
    seats: Annotated[
        str | None, typer.Option("--seats", metavar="N[,N...]", help="Numbers of seats; by default all of the game.")
    ] = None,
    policy: Annotated[str, typer.Option("--policy", metavar="P[,P...]", help="Policies in the games for training.")] = "greedy:1",
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="File to write; with --cards, by default weights.toml beside the card file."),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also write weights that do not surely win.")] = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Fit the weights with which players evaluate positions to self-play games, and test them.

    Weights are written if they surely win against both the previous weights and those set by hand, with the same seats and dice,
    separately for each number of seats.

    Example: fairfight train arena --cards my-arena --round-games 5000
    """
    from analysis.data.decks import DeckChoice
    from analysis.training import section
    from analysis.training.section import Result, notes
    from analysis.training.train import afforded, train

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if games is not None and round_games is not None:
            raise ValueError(f"--games {games} and --round-games {round_games}: name one of the two")
        target = out or default_target(found, card_set)
        of_round = ROUND_GAMES if round_games is None else round_games
        experiments = planned(found, card_set, seats, policy, of_round, seed, rounds)
        experiments = experiments if games is None else afforded(experiments, rounds, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        terminal.check_file(target)
        section.check(target)
        prepare(found)
        prepare(found, "step")
        prepare(found, "evaluation")
        with Ticker() as ticker:
            trained = tuple(train(experiment, rounds, workers, ticker) for experiment in experiments)
        result = Result(found, card_set, trained, command_of(experiments, rounds, out), anyway, target)
        if target is not None and result.taken:
            comments = notes(result.taken)
            section.write(target, section.text_of(found, result.weights, result.command, comments))
            wrote(target)
        draw(chart, lambda: _train_drawn(trained), "Winning chances, predicted and actual")
        terminal.show(result, as_json, csv)


def default_target(game: Game, cards: CardSet) -> Path | None:
    """File beside a user's card file; None for the reference set and for the cards of a run."""
    from analysis.training import section
    from sim.store import is_run

    is_users = not is_run(cards.path) and cards.path != game.reference
    return section.beside(cards.path) if is_users else None


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
    from sim.engine.policies import BASELINE
    from sim.experiments.experiment import Experiment

    if not game.features:
        raise ValueError(f"{game.title}: its evaluation has no features; there is nothing to fit")
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    policies = policies_of(policy)
    if any(spec.baseline for spec in policies):
        raise ValueError(f"policy={policy!r}: players here evaluate with the fitted weights; leave {BASELINE} out")
    numbers = game.seats_for(cards) if seats is None else numbers_of(str(seats))
    return [Experiment(game.name, cards, number, policies, games, seed) for number in numbers]


def numbers_of(text: str) -> list[int]:
    """Read comma-separated numbers of seats. Raises ValueError."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        raise ValueError(f"seats={text!r}: must be numbers of seats separated by commas, such as 2 or 2,3")
    return list(dict.fromkeys(map(int, words)))


def command_of(experiments: list[Experiment], rounds: int, out: Path | None) -> str:
    """Command that makes the same weights again, with all options that they depend on."""
    from analysis.data.decks import options_of

    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(experiment.seats) for experiment in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])


def _train_drawn(trained: Sequence[Trained]) -> Figure:
    """The main chart of `train`: reliability of the evaluations."""
    from analysis.training.section import reliability_chart

    return reliability_chart(trained)
