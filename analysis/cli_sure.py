"""The subcommands that play until something is sure: `fairfight compare` and `fairfight strongest`."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import interrupts, terminal
from analysis.again import again
from analysis.options import (
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
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw
from analysis.terminal import Ticker, clear_messages

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.head_to_head import Verdict
    from analysis.standing import Standing
    from sim.engine.policies import PolicySpec

OnePolicy = Annotated[
    str, typer.Option("--policy", metavar="P", help="random, greedy:k, flat:n or search:n, for all seats.")
]


def compare_command(
    context: typer.Context,
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="An entrant (id); a team by its parts, such as a+b+c.")],
    second: Annotated[str | None, typer.Argument(metavar="B", help="Another of the same game.")] = None,
    margin: Annotated[
        float,
        typer.Option("--margin", metavar="POINTS", help="Differences below it do not matter, in percentage points."),
    ] = 1.0,
    old_game: Annotated[str | None, typer.Option("--game", hidden=True)] = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    policy: OnePolicy = "greedy",
    alpha: Annotated[float, typer.Option("--alpha", help="Chance of a wrong decision.")] = 0.05,
    games: Annotated[
        int | None,
        typer.Option("--games", help=f"{IN_ALL}, at the most, rounded up to pairs; by default enough for the margin."),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Which of two is stronger, or are they within a margin of each other: plays in pairs until that is sure.

    Example: fairfight compare arena rhino_guy mirror_mage --margin 2

    Example: fairfight compare riftborn my_beasts beast_rush --decks my-decks.toml
    """
    from analysis.deck_choice import DeckChoice
    from analysis.head_to_head import Duel, Verdict, find, pairing, without_game
    from analysis.playing import play_until
    from analysis.sprt import OPEN, bounds, checked_margin

    with clear_messages():
        if second is None or old_game is not None:
            game, first, second = without_game(game, first, second, old_game, cards)
            terminal.note(f"the game comes first now: fairfight compare {game} {quote(first)} {quote(second)}")
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        two = find(first, second, found, card_set)
        gap = checked_margin(margin)
        bounds(alpha)
        experiment = pairing(found, card_set, two, _one(policy), games, seed, gap)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        duel = Duel(experiment, gap, alpha)
        with Ticker() as ticker:
            interrupted = play_until(experiment, duel, workers, ticker)
        if duel.pairs:
            more = experiment.games_wanted if interrupted else 2 * experiment.games
            asked = {"game": game, "first": first, "second": second, "old_game": None, "games": more}
            result = Verdict(duel, interrupted, again(context, **asked) if duel.decision == OPEN else "")
            draw(chart, lambda: _drawn(result), f"Head to head in {found.title}")
            terminal.show(result, as_json, csv)
    if interrupted:
        interrupts.leave(f"shown: {duel.games:,} games" if duel.pairs else "")


def strongest_command(
    context: typer.Context,
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most; 2500 for each entrant if left out. At least two rounds of each against all others.",
        ),
    ] = None,
    sure: Annotated[float, typer.Option("--sure", help="Chance of a right answer at which to stop.")] = 0.95,
    seats: Seats = 2,
    policy: OnePolicy = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """Who is the strongest and who the weakest, and how sure is that: games go where the answer is least sure.

    Example: fairfight strongest arena --sure 0.99
    """
    from analysis.deck_choice import DeckChoice
    from analysis.standing import Standing
    from analysis.strongest import INTERRUPTED, REACHED, USUAL_GAMES, Search, against_each, check_games, search
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        most = USUAL_GAMES * len(card_set.ids) if games is None else games
        experiment = Experiment(found.name, card_set, seats, (_one(policy),), most, seed)
        looked_for = Search(against_each(experiment), sure)
        most = max(most, 2 * looked_for.first_games) if games is None else most
        check_games(looked_for, most)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        prepare(found)
        with Ticker() as ticker:
            why = search(looked_for, most, workers, ticker)
        if looked_for.games:
            surer = 1 - (1 - sure) / 5
            command = (
                again(context, sure=surer, games=None)
                if why == REACHED
                else again(context, games=most if why == INTERRUPTED else 4 * most)
            )
            standing = Standing(experiment, looked_for, why, command)
            draw(chart, lambda: _drawn(standing), f"The strongest and the weakest of {found.title}")
            terminal.show(standing, as_json, csv)
    if why == INTERRUPTED:
        interrupts.leave(f"shown: {looked_for.games:,} games" if looked_for.games else "")


def _one(policy: str) -> PolicySpec:
    """Read the policy of all seats. Raises ValueError where several are named."""
    found = policies_of(policy)
    if len(found) > 1:
        raise ValueError(f"policy={policy!r}: entrants are compared with one policy for all seats")
    return found[0]


def _drawn(found: Verdict | Standing) -> Figure | None:
    """The main chart."""
    from analysis import main_charts
    from analysis.standing import Standing

    return main_charts.strongest(found) if isinstance(found, Standing) else main_charts.compare(found)
