"""Is an entrant too strong, against whom, what carries it, and which single step makes it fair: one screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from shlex import join
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import as_written, count, percent, points
from analysis.answer.prose import SENTENCE_GAMES, bounds_of, fitting, listed, seated
from analysis.answer.tables import Table, rate_columns, table
from analysis.data.commands import command
from analysis.data.names import BETWEEN_PARTS, entrant_of, index_of, words_for
from analysis.data.players import ANSWER, player_words
from analysis.data.selection import Chosen, fields_of
from analysis.data.shares import Shares
from analysis.data.study import Study, in_passes
from analysis.data.together import joined, taken
from analysis.data.usage import CardTally, card_question
from analysis.data.usage import fields_of as card_fields
from analysis.matchups.opponents import opponents
from analysis.question import question
from analysis.questions.winrates import by_entrant, rates_of_parts, sitting
from analysis.stats.intervals import proportions
from analysis.tuning.carrying import LEAST_PAIRS, trials_of, worths
from analysis.tuning.steps import COLUMNS as STEPS
from analysis.tuning.steps import Start, single_steps
from analysis.variants.compare import Counter
from analysis.variants.tables import records
from analysis.variants.variant import AT_ONCE, part_of
from analysis.winrates.play import Played, play
from analysis.winrates.rates import fair_at, win_rates
from sim.engine.questions import Cards
from sim.experiments.experiment import Experiment
from sim.run import Block

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

ENDS = 3  # best and worst opponents
THINGS = 3  # that carry the entrant
MORE, WORTH, STEPPED = 0.3, 0.3, 0.4  # shares of the time after the win rate: rare opponents, without things, with steps
OF_PARTS = 0.6  # of teams this time is shorter, because all games are played for the win rate
STEP_LINES, WIDTH = 13, 80  # of a terminal, for steps with their commands; further ones are only named
MARGIN = 1.05  # more games than opponents need on average, so that all have enough
SEARCHED_MOST = 8  # millions of games in which those of a team are looked for
BEST, WORST, CARRIED = "Wins most against:  ", "Wins least against: ", "Carried by:         "
INDENT = "  "


@dataclass(frozen=True)
class Subject:
    """The entrant that is explained: an entrant, a team, or a part of teams.

    unit: index of the entrant or the part; team: index of the team, None for the others. word: what it is.
    """

    id: str
    name: str
    word: str
    unit: int = 0
    team: int | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """The games behind an explanation.

    row: win rate and verdict of the subject: estimate, low, high, n, fair, verdict. own: its games; shares: their results.
    parts: of a team, what its parts contribute. tally: by card, if the game counts cards. interrupted: not all games were played.
    """

    row: pd.Series
    own: Chosen
    shares: Shares
    parts: pd.DataFrame | None = None
    tally: CardTally | None = None
    interrupted: bool = False


@question(
    without=("line_up", "quick"),
    needs=("loop",),
    options={"entrant": "ENTRANT"},
    examples=("explain arena rhino_guy", "explain rookling rime", "explain rookling rime+rute+hiss"),
    title="Why does it win so often, or so rarely?",
)
def explain(study: Study, entrant: str, games: int | None = None) -> Answer:
    """Why an entrant is too strong or too weak, and which single changes make it fair.

    Shows its win rate and verdict as `winrates` does, its best and its worst opponents, what its abilities or cards are worth,
    and every step of one of its numbers that brings it into the fair band, with the command that shows the effect on all others.

    Parameters
    ----------
    entrant : str
        Id or name of an entrant. Where entrants are teams, a part such as rime, or a team written with + between its parts.
    games : int, optional
        Games for the win rate, by default those of `winrates`.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.explain("arena", "rhino_guy", 400, policy="random", progress=False)
    >>> result.frames["verdict"]["entrant"].tolist()
    ['rhino_guy']
    >>> ff.explain("arena", "rhino")
    Traceback (most recent call last):
    ...
    ValueError: 'rhino': is no hero; did you mean "rhino_guy"?

    """
    subject = subject_of(study, entrant)
    evidence = team_evidence(study, subject, games) if subject.team is not None else unit_evidence(study, subject, games)
    return explained(study, subject, evidence)


def subject_of(study: Study, text: str) -> Subject:
    """The entrant, part or team of an id or a name. Raises ValueError with the nearest known one."""
    game, cards, teams = study.game, study.cards, study.teams
    if teams is None:
        entrant = entrant_of(text, game, cards)
        return Subject(cards.ids[entrant], study.names[entrant], game.entrant_word, entrant)
    if BETWEEN_PARTS in text:
        team = entrant_of(text, game, cards)
        return Subject(cards.ids[team], study.names[team], game.entrant_word, team=team)
    part = index_of(text, teams.ids, teams.names, teams.word)
    return Subject(teams.ids[part], study.units[part], teams.word, part)


def explained(study: Study, subject: Subject, evidence: Evidence) -> Answer:
    """The answer, from the games of the subject."""
    met = opponents_of(study, subject, evidence.shares)
    carried = carried_by(study, subject, evidence, WORTH * time_left(study))
    steps = steps_of(study, subject, evidence)
    row = pd.DataFrame([{"name": subject.name} | evidence.row.to_dict()]).drop(columns="part", errors="ignore")
    columns = {"name": subject.word, **rate_columns(), "fair": "fair share", "verdict": "verdict"}
    return Answer(
        summary(study, subject, evidence.row, steps),
        (table(row, "verdict", "Win rate", columns), opponents_table(study, met), worth_table(carried), steps_table(steps)),
        (Chart(partial(opponents_chart, met), "Win rate against each opponent."),) if len(met) else (),
        notes(study, subject, evidence),
        facts(subject, evidence),
        shown=study.player.shown,
        story=tuple(story(study, subject, evidence, met, carried, steps)),
    )


# ---- games -----------------------------------------------------------------------------------------------------------


def unit_evidence(study: Study, subject: Subject, games: int | None) -> Evidence:
    """The games of `winrates`, and more of the subject if it has met some opponents too rarely."""
    base = in_passes(study.design(study.games_in())) if games is None else study.design(games)
    evidence = part_evidence(study, subject, base) if study.teams is not None else entrant_evidence(study, subject, base)
    return evidence if evidence.interrupted else with_more(study, subject, evidence, base)


def time_left(study: Study) -> float:
    """Seconds of games after those for the win rate, on two cores."""
    return ANSWER * (1 if study.teams is None else OF_PARTS)


def part_evidence(study: Study, subject: Subject, base: Experiment) -> Evidence:
    """All games of a design of teams, which together show what a part contributes; of the entrant if no parts can be told."""
    run, shares, _ = played(study, base)
    parts = rates_of_parts(run)
    frame = by_entrant(study, run) if parts is None else parts
    row = frame[frame["entrant" if parts is None else "part"] == subject.unit].iloc[0]
    own = part_of(base, 0, len(shares.entrant), subject.unit)
    return Evidence(row, own, taken(shares, own.index), interrupted=run.interrupted)


def entrant_evidence(study: Study, subject: Subject, base: Experiment) -> Evidence:
    """The games of an entrant in a design: its win rate is that of all games, which need not be played for it.

    Where all can lose, the fair share follows from all games, so the others are played too.
    """
    own, seats = part_of(base, 0, base.games, subject.unit), base.seats
    run, shares, tally = played(study, own)
    sums, own = run.tally, replace(own, index=own.index[: len(shares.entrant)])
    interrupted = run.interrupted
    if sums.lost[seats] and not interrupted:
        others = play(replace(own, index=np.setdiff1d(np.arange(base.games), own.index)), study.player)
        sums, interrupted = sums + others.tally, others.interrupted
    level = verdicts.row_level(len(sitting(run)) if seats > 1 else 1)
    frame = win_rates(sums, seats, study.names, level=level).drop(columns=["p_holm", "p_bh"])  # over games of others that are few
    return Evidence(frame[frame["entrant"] == subject.unit].iloc[0], own, shares, tally=tally, interrupted=interrupted)


def with_more(study: Study, subject: Subject, evidence: Evidence, base: Experiment) -> Evidence:
    """Add games of the subject after those of the base, until every opponent has met it SENTENCE_GAMES times or time is up."""
    met, done = opponents_of(study, subject, evidence.shares, least=1), len(evidence.own.index)
    fewest = int(met["n"].min()) if len(met) else SENTENCE_GAMES
    wanted = min(done * (SENTENCE_GAMES / max(1, fewest) - 1) * MARGIN, study.games_in(MORE * time_left(study)))
    last = base.games + round(wanted * base.games / max(1, done))
    more = part_of(base, base.games, last, subject.unit)
    if fewest >= SENTENCE_GAMES or not more.games:
        return evidence
    extra = Shares.of(more, lambda games: study.player.play(games, f"games of {subject.name}"))
    own = replace(more, index=np.concatenate([evidence.own.index, more.index]))
    return replace(evidence, own=own, shares=joined([evidence.shares, extra]))


def team_evidence(study: Study, subject: Subject, games: int | None) -> Evidence:
    """Games of a team, and as many of all teams, which show what its parts contribute."""
    assert study.teams is not None
    usual = study.games_in(ANSWER / 2) if games is None else games
    base = study.design(usual)
    run, _, _ = played(study, base)
    parts, members = rates_of_parts(run), study.teams.members[subject.team]
    own = games_of_team(base, subject.team or 0, usual)
    shares = Shares.of(own, lambda chosen: study.player.play(chosen, f"games of {subject.name}"))
    won = np.where(shares.entrant == subject.team, shares.share, 0).sum(axis=1)[~shares.truncated].astype(np.float64)
    rate = proportions([won.sum()], [len(won)], shared=[(won * (1 - won)).sum()]).assign(fair=fair_at(run.tally, base.seats))
    row = verdicts.with_verdicts(rate).iloc[0]
    of_team = None if parts is None else parts[parts["part"].isin(members)]
    return Evidence(row, own, shares, of_team, interrupted=bool(study.player.shown))


def games_of_team(base: Experiment, team: int, number: int) -> Chosen:
    """The first games of a design, beyond its end if needed, in which a team sits. number: of games."""
    index, first = np.zeros(0, np.int64), 0
    while len(index) < number and first < SEARCHED_MOST * AT_ONCE:
        part = np.arange(first, first + AT_ONCE)
        index = np.concatenate([index, part[(base.entrants_of(part) == team).any(axis=1)]])
        first += AT_ONCE
    return Chosen(**fields_of(base), index=index[:number])


def played(study: Study, base: Experiment) -> tuple[Played, Shares, CardTally | None]:
    """Play the games of a design: their sums, their results, and sums by card if the game counts cards of decks."""
    counts_cards = study.game.decks is not None and any(isinstance(one, Cards) for one in study.game.questions)
    tally = CardTally(base, card_fields(card_question(study.game))) if counts_cards and base.seats > 1 else None
    kept: list[Block] = []

    def each(block: Block) -> None:
        kept.append(Block(block.first, block.rows.copy(), block.outcomes[:0]))
        if tally is not None:
            tally.add(block.rows, block.outcomes)

    run = play(base, study.player, each=each)
    return run, Shares.of(base, lambda _: iter(kept)), tally


# ---- parts of the answer ---------------------------------------------------------------------------------------------


def opponents_of(study: Study, subject: Subject, shares: Shares, least: int = SENTENCE_GAMES) -> pd.DataFrame:
    """Win rates against each opponent, best first: name and those of `opponents`, of at least `least` games."""
    entrant, teams = shares.entrant.astype(np.int64), study.teams
    units = entrant if teams is None else teams.members[entrant].reshape(len(entrant), -1)
    if teams is None or subject.team is not None:
        mine = entrant == (subject.unit if subject.team is None else subject.team)
    else:
        mine = (teams.members[entrant] == subject.unit).any(axis=2)
    frame = opponents(shares, units, mine, len(study.unit_ids))
    frame = frame[frame["n"] >= least].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
    frame.insert(0, "name", [study.units[unit] for unit in frame["opponent"]])
    return frame.drop(columns="opponent")


def carried_by(study: Study, subject: Subject, evidence: Evidence, seconds: float) -> pd.DataFrame:
    """What the abilities, cards or parts of the subject are worth, largest first: see `carrying.worths`.

    seconds: of games without them. A part of a team is worth what a team with it wins beyond an even share, otherwise equal.
    """
    if evidence.interrupted:
        return worths(evidence.own, evidence.shares, [], 0)
    if subject.team is not None:
        return worth_of_parts(study, evidence)
    trials = trials_of(evidence.own, subject.unit, evidence.tally)
    if not trials:
        return worths(evidence.own, evidence.shares, [], 0)
    pairs = max(LEAST_PAIRS, study.games_in(seconds) // len(trials))
    own = replace(evidence.own, index=evidence.own.index[:pairs])
    before = taken(evidence.shares, np.arange(len(own.index)))
    counter = Counter(partial(study.player.watch, "games without each of its things"), own, len(trials) * own.games)
    return worths(own, before, trials, subject.unit, study.jobs, counter)


def worth_of_parts(study: Study, evidence: Evidence) -> pd.DataFrame:
    """Contributions of the parts of a team, less an even share, with the columns of `worths` that they have."""
    parts = evidence.parts
    if parts is None or "raw" not in parts:
        return worths(evidence.own, evidence.shares, [], 0)
    ids = [study.unit_ids[part] for part in parts["part"]]
    frame = pd.DataFrame(
        {"thing": ids, "name": parts["name"].to_numpy(), "worth": (parts["estimate"] - parts["fair"]).to_numpy()}
    )
    bounds = {end: (parts[end] - parts["fair"]).to_numpy() for end in ("low", "high")}
    sure = (bounds["low"] > 0) | (bounds["high"] < 0)
    frame = frame.assign(**bounds, sure=sure, n=parts["n"].to_numpy())
    return frame.sort_values("worth", ascending=False, kind="stable", ignore_index=True)


def steps_of(study: Study, subject: Subject, evidence: Evidence) -> pd.DataFrame:
    """Single steps that reach the fair band, tested ones first: see `steps.single_steps`, and command."""
    if without_steps(study, subject, evidence):
        return pd.DataFrame(columns=[*STEPS, "command"])
    row = evidence.row
    rate = float(row["raw"] if "raw" in row.index else row["estimate"])
    start = Start(rate, float(np.sqrt(max(rate * (1 - rate), 0.01) / row["n"])), float(row["fair"]))
    frame = single_steps(study, [subject.unit], seconds=STEPPED * time_left(study), starts={subject.unit: start})
    reached: pd.DataFrame = frame[frame["reaches"].astype(bool)].reset_index(drop=True)
    return reached.assign(command=[command(study, "whatif", "--set", setting) for setting in reached["setting"]])


# ---- sentences -------------------------------------------------------------------------------------------------------


def summary(study: Study, subject: Subject, row: pd.Series, steps: pd.DataFrame) -> str:
    """The sentence: the verdict with its win rate, and the smallest step that makes the entrant fair."""
    verdict, seats = str(row["verdict"]), study.contest if study.contests else study.seats[0]
    if not row["n"] > 0:
        return f"None of the games of {subject.name} came to an end."
    if "raw" in row.index:
        team = study.game.entrant_word
        rate = f"a {team} with it in place of an average {subject.word} wins {percent(row['estimate'])} {bounds_of(row)}"
    else:
        does = "succeeds in" if not study.contests else "wins"
        rate = f"it {does} {percent(row['estimate'])} of its {seated(seats)} games {bounds_of(row)}"
    if not verdict:
        return f"{subject.name}: {rate}."
    band = f"fair is {verdicts.band(row['fair'])}"
    if verdict == verdicts.OPEN:
        side = "too strong" if row["estimate"] > row["fair"] else "too weak"
        return f"It is not decided whether {subject.name} is {side}: {rate}; {band}."
    sentence = f"{subject.name} is {verdict}: {rate}; {band}"
    first = f". {step_words(steps.iloc[0])} makes it {percent(steps.iloc[0]['rate'])}" if steps["tested"].any() else ""
    return fitting(f"{sentence}{first}.", f"{sentence}.")


def story(
    study: Study, subject: Subject, evidence: Evidence, met: pd.DataFrame, carried: pd.DataFrame, steps: pd.DataFrame
) -> list[str]:
    """Lines of a terminal: opponents, what carries the entrant, and steps with their commands."""
    best, worst = both_sides(met)
    lines = [f"{BEST}{rates_words(best)}", f"{WORST}{rates_words(worst)}"] if len(met) else []
    if not len(met) and study.contests:
        lines = [f"No opponent has met it in {SENTENCE_GAMES} games yet."]
    if len(worst) and best["low"].max() <= worst["high"].min():
        lines.append(f"They may differ by chance: {count(met['n'].min())} to {count(met['n'].max())} games against each.")
    lines += [f"{CARRIED}{worth_words(carried)}"]
    return [*lines, "", *step_lines(study, subject, evidence, steps)]


def both_sides(met: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The opponents with the highest and, worst first, the lowest win rates, none in both."""
    best = min(ENDS, (len(met) + 1) // 2)
    worst = min(ENDS, len(met) - best)
    return met.head(best), met.tail(worst).iloc[::-1]


def rates_words(met: pd.DataFrame) -> str:
    """Opponents with win rates, of a few hundred games at most: `Valasca 68 %, Bow Master 62 %`."""
    return ", ".join(f"{name} {percent(rate, 0)}" for name, rate in zip(met["name"], met["estimate"], strict=True)) or "no others"


def worth_words(carried: pd.DataFrame) -> str:
    """What is surely worth something, else the first thing: see `sure_words`."""
    lines = carried[carried["n"] >= LEAST_PAIRS]
    if lines.empty:
        return "nothing that can be taken away; see its numbers"
    return sure_words(lines) or f"nothing for certain; most by {worth_of(records(lines)[0])}, which may be chance"


def sure_words(carried: pd.DataFrame) -> str:
    """What is surely worth something: `charge +12.1 points (+8.1 to +16.1); held back by ...`; empty if nothing is."""
    sure = carried[(carried["n"] >= LEAST_PAIRS) & carried["sure"].astype(bool)]
    if sure.empty:
        return ""
    carries = listed([worth_of(line) for line in records(sure[sure["worth"] > 0].head(THINGS))])
    holds = listed([worth_of(line) for line in records(sure[sure["worth"] < 0].tail(1))])
    return f"{carries or 'nothing'}{f'; held back by {holds}' if holds else ''}"


def worth_of(line: Mapping[str, Any]) -> str:
    """A thing with its worth: `charge +12.1 points (+8.1 to +16.1)`."""
    return f"{line['name']} {points(line['worth'])} points ({points(line['low'])} to {points(line['high'])})"


def step_lines(study: Study, subject: Subject, evidence: Evidence, steps: pd.DataFrame) -> list[str]:
    """Steps into the fair band with their commands, or why there are none."""
    why = without_steps(study, subject, evidence)
    if why:
        return [why]
    tested = steps[steps["tested"].astype(bool)]
    untested = [f"{step_words(line)} (about {percent(line['rate'])})" for line in records(steps[~steps["tested"].astype(bool)])]
    perhaps = [f"Perhaps also, not tested: {listed(untested)}."] if untested else []
    if tested.empty:
        return [f"No single step is known to bring {subject.name} into the fair band.", *perhaps, tune_command(study, subject)]
    lines, shown = ["Single steps into the fair band:"], 0
    for line in records(tested):
        others = f"; {line['other']} {points(line['other_change'])}" if line["other"] else ""
        words = f"{INDENT}{step_words(line)}: {percent(line['rate'])} {bounds_of({**line, 'estimate': line['rate']})}{others}"
        both = [words, f"{INDENT * 2}{line['command']}"]
        if shown and printed([*lines, *both]) > STEP_LINES:
            break
        lines += both
        shown += 1
    further = [f"{step_words(line)} ({percent(line['rate'])})" for line in records(tested.iloc[shown:])]
    return [*lines, *([f"Further: {listed(further)}."] if further else []), *perhaps]


def printed(lines: list[str]) -> int:
    """Lines that these take in a terminal of usual width."""
    return sum(1 + len(line) // WIDTH for line in lines)


def without_steps(study: Study, subject: Subject, evidence: Evidence) -> str:
    """Why no steps are looked for; empty if they are."""
    row = evidence.row
    low, high = (float(edge) for edge in verdicts.edges(row["fair"]))
    if not study.contests:
        return "Alone there is no fair share, so no steps are tried."
    if evidence.interrupted:
        return "Interrupted before steps were tried."
    if row["verdict"] == verdicts.FAIR or low <= row["estimate"] <= high:
        return "Its win rate lies in the fair band, so no steps are tried."
    if subject.team is not None:
        name, _ = words_for(study.game, study.cards)
        parts = subject.id.split(BETWEEN_PARTS)
        return f"The numbers are those of its parts: {'; '.join(join(['fairfight', 'explain', name, part]) for part in parts)}"
    return ""


def step_words(step: Mapping[str, Any] | pd.Series) -> str:
    """A step in words: `defence 2 to 1`."""
    return f"{step['label']} {as_written(step['before'])} to {as_written(step['after'])}"


def tune_command(study: Study, subject: Subject) -> str:
    """The command that looks for several changes together."""
    return f"Several together: {command(study, 'tune', '--only', subject.id)}"


def notes(study: Study, subject: Subject, evidence: Evidence) -> tuple[str, ...]:
    """How the entrant is judged, and what was played."""
    base = evidence.own
    judged = []
    if study.contests:
        judged = [f"The fair band is {verdicts.band(evidence.row['fair'])}. {verdicts.MEANING}"]
    return (
        *judged,
        f"Opponents with fewer than {SENTENCE_GAMES} games against {subject.name} are left out.",
        "Worth: win rate with it less that without it, in the same games with the same dice; players know and plan accordingly.",
        f"{base.cards.title}: {count(evidence.row['n'])} games of {subject.name} behind its win rate, "
        f"{player_words(study.game, base.policies, exact=True)}, seed {base.seed}.",
    )


def facts(subject: Subject, evidence: Evidence) -> dict[str, Any]:
    """How the games were played."""
    played_games = {"games": len(evidence.shares.entrant), "interrupted": evidence.interrupted}
    return {**evidence.own.facts(), **played_games, "entrant": subject.id}


# ---- tables and chart ------------------------------------------------------------------------------------------------


def opponents_table(study: Study, met: pd.DataFrame) -> Table:
    """Every opponent, best first."""
    return table(met, "opponents", "Win rate against each opponent", {"name": study.unit_word, **rate_columns()})


def worth_table(carried: pd.DataFrame) -> Table:
    """What each thing is worth."""
    columns = {"name": "what", "worth": "worth", "low": "low", "high": "high", "n": "n"}
    return table(carried, "worth", "What it is worth", columns, dict.fromkeys(("worth", "low", "high"), "points"))


def steps_table(steps: pd.DataFrame) -> Table:
    """Steps into the fair band."""
    columns = {"label": "number", "before": "now", "after": "then", "rate": "win rate", "low": "low", "high": "high"}
    columns |= {"other": "moves most", "other_change": "change", "command": "command"}
    return table(steps, "steps", "Single steps into the fair band", columns, below="command")


def opponents_chart(met: pd.DataFrame) -> Figure:
    """Win rates against each opponent around an even match."""
    return charts.forest(met.assign(seats=2, fair=0.5, verdict=""))
