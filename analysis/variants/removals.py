"""A recommended step tried again, and keywords taken out of decks.

The one step that is recommended, tried again at every number of seats on games that had no part in choosing it.

What a keyword is worth: decks as they are against the same decks with their cards robbed of it, in the same games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import gains
from analysis.data.study import Study
from analysis.document import verdicts
from analysis.document.cells import percent, points
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import at_seats, listed, number_word, point_interval, seated, size, some, stopped
from analysis.document.tables import highest, table
from analysis.stats.intervals import adjust
from analysis.variants.steps import decks_tried
from analysis.variants.variant import GamesOf, GamesOfPart, Step, change, effects
from analysis.winrates.rates import fair_share
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import NO_CARD, Decking, Decks
from sim.engine.measures import Question
from sim.weights import remade


@dataclass(frozen=True)
class Cure:
    """A step that brings an outlier nearest to its fair share: which number, from what to what, and the cards then."""

    entrant: int
    field: str
    present: object
    value: object
    cards: CardSet


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the cards as they are, at every number of seats; one line each.

    Columns: those of `whatif.compare` for the entrant concerned, and seats, fair, verdict (of the rate after), field,
    present, value. Empty if there is no cure.
    """
    rows = []
    for cure in cures:
        bases = [games_of(study, cure.entrant, seats, study.retest_seed) for seats in study.contests]
        name = study.units[cure.entrant]
        play = study.player(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            table_of = change(base, cure.cards, play)
            own = table_of[table_of["name"] == name]
            if own.empty:  # where seats choose whom they play, nobody chose it
                continue
            row = own.iloc[0]
            fair = fair_share(base.seats)
            facts = {"name": name, "field": cure.field, "present": cure.present, "value": cure.value}
            rows.append(
                {
                    **{str(key): row[key] for key in row.index},
                    **facts,
                    "seats": base.seats,
                    "fair": fair,
                }
            )
    return _judged(pd.DataFrame(rows).astype({"n": int})) if rows else pd.DataFrame()


def _judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the verdicts of the rates after, over all lines (see `verdicts.judged`)."""
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    told = verdicts.judged(after, verdicts.score(after["estimate"], verdicts.worth(after)))
    return frame.assign(p_beyond=told["p_beyond"], verdict=told["verdict"])


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf | GamesOfPart:
    """The balanced games at so many seats in which an entrant sits, or a part of teams: about so many.

    games: the budget's step_games if None.
    """
    seated = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // seated)
    whole = replace(study.experiment(seats, wanted), seed=seed)
    return (GamesOfPart if study.teams else GamesOf).from_experiment(whole, unit)


def outcome(part: pd.DataFrame) -> str:
    """What a cure does at each number of seats, in a sentence; nothing for an empty frame."""
    if part.empty:
        return ""
    said = [_at(row) for _, row in part.iterrows()]
    return f"Tried again with that step, in new games, {part['name'].iloc[0]} would win {listed(said)}."


def _at(row: pd.Series) -> str:
    """The rate after a cure at one number of seats, beside what would be fair."""
    judged = f": {row['verdict']}" if row["verdict"] in verdicts.UNFAIR else ""
    bounds = f"{100 * row['after_low']:.1f} to {percent(row['after_high'])}"
    return f"{percent(row['after'])} {at_seats(row['seats'])} ({bounds}; fair {percent(row['fair'])}{judged})"


def retest_table(study: Study, frame: pd.DataFrame, id_: str = "levers") -> Table:
    """Every cure at every number of seats. id_: of the table of the steps."""
    columns = {
        "name": study.unit_word,
        "field": "number",
        "present": "now",
        "value": "becomes",
        "seats": "seats",
    }
    columns |= {"before": "before", "after": "after", "after_low": "low", "after_high": "high", "fair": "fair share"}
    columns |= {"p_beyond": verdicts.HEADING}
    columns |= {"verdict": "verdict after", "change": "change", "low": "change low", "high": "change high", "n": "n"}
    formats: dict[str, Format] = {"seats": "count"}
    return table(frame, f"{id_}-retest", "The nearest step at every number of seats", columns, formats)


SURE = 0.05  # p-value adjusted over all decks and keywords of the section
USUAL = 8  # decks tried
COUNTS = ("games", "Games: played with and without it.")
SHOWN = 14  # keywords of a deck in the chart


@dataclass(frozen=True)
class Robbed:
    """A deck, and what it is without each keyword. bearers: names of its cards that bear it; copies: of these together."""

    entrant: int
    name: str
    steps: list[Step]
    bearers: Mapping[str, list[str]]
    copies: Mapping[str, int]


def removals(study: Study, question: Question) -> Section | None:
    """Bars of what each keyword on its cards is worth to a deck, and per copy that bears it.

    Settings: decks (how many at most, those farthest from a fair share), leave_out (keywords that are not tried), seats, games
    (in multiples of the usual number).
    """
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    tried = decks_tried(study, question, USUAL)
    found = [_robbed(study, question, (decking, decks), entrant) for entrant in tried]
    frame = _measured(study, question, [one for one in found if any(step.cards for step in one.steps)])
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _said(study, frame, seats)
    caption = f"Win rate of a {study.unit_word} as it is, less that without the keyword on any of its cards {at_seats(seats)}, "
    caption += f"and the same per copy that bears the keyword, with {study.policy} in every seat."
    most = frame.groupby("panel", sort=False).head(SHOWN)
    caption += f" At most {SHOWN} keywords each; the table has all." if len(most) < len(frame) else ""
    figure = gains(most, price="copies", unit="copy", counts=COUNTS, bars=True)
    chart = Chart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    note = _note(study, found, frame)
    return Section(question.id, question.text, answer, (chart,), (_table(study, question, frame),), note)


def _robbed(study: Study, question: Question, of: tuple[Decking, Decks], entrant: int) -> Robbed:
    """A deck without each of its keywords, whatever their numbers, in the order in which its list bears them."""
    decking, decks = of
    bearers: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    for card in decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist():
        for mark in dict.fromkeys(map(_word, decks.marks[card])):
            bearers.setdefault(mark, []).append(decks.names[card])
            copies[mark] = copies.get(mark, 0) + int(decks.counts[entrant, card])
    kept = [mark for mark in bearers if mark not in question.settings.get("leave_out", ())]
    steps = [_without(study, decking, entrant, mark) for mark in kept]
    return Robbed(entrant, study.units[entrant], steps, bearers, copies)


def _without(study: Study, decking: Decking, entrant: int, mark: str) -> Step:
    """A deck's cards without a keyword, as a step of the card set."""
    try:
        bare = decking.bare(study.cards.document, study.unit_ids[entrant], mark)
        cards = remade(study.game, bare, study.cards)
    except CardError as error:
        return Step(mark, 0, "with", "without", None, str(error).splitlines()[0])
    return Step(mark, 0, "with", "without", cards)


def _measured(study: Study, question: Question, found: list[Robbed]) -> pd.DataFrame:
    """What each keyword is worth to each deck, largest first: change, low, high, and p adjusted over all (Holm)."""
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    tables = []
    for one in found:
        base = games_of(study, one.entrant, seats, study.fresh_seed, games)
        live = [step for step in one.steps if step.cards]
        play = study.player(f"keywords of {one.name}", base.games * (len(live) + 1))
        part = effects(base, live, one.name, play)
        worth = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"], "panel": one.name}
        marks = part["path"]
        facts = {"mark": marks, "bearers": marks.map(dict(one.bearers)), "copies": marks.map(dict(one.copies))}
        columns: dict[str, Any] = {**worth, **facts, "name": marks}
        tables.append(part.assign(**columns).sort_values("change", ascending=False, kind="stable"))
    if not tables:
        return pd.DataFrame()
    frame = pd.concat(tables, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(
        p_holm=p_holm, sure=p_holm < SURE, price=frame["copies"], per_copy=frame["change"] / frame["copies"]
    )


def _word(mark: str) -> str:
    """A keyword without its number: with any of its numbers it is taken off."""
    return mark.partition("(")[0]


def _said(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """The keyword that is worth most, the one that does most harm, and how many are beyond chance."""
    sure = frame[frame["sure"]]
    of = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        return f"Without any one of the {of or 'keyword'} the win rate stays what it is within what chance allows."
    top = highest(sure, "change", size=True)
    way = "fewer" if top["change"] > 0 else "more"
    said = f"{top['panel']} depends most on {top['name']} ({_copies(top)}): without it the {study.unit_word} wins "
    said += f"{points(abs(top['change']))[1:]} points {way} of its {seated(seats)} games "
    said += f"{point_interval(-top['high'], -top['low'])}, {percent(top['after'])} instead of {percent(top['before'])}"
    said += f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    said += f" Of {of}, {number_word(good)} {'is' if good == 1 else 'are'} surely worth something" if of else ""
    if of and len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        said += f", and {named} surely {'does' if len(bad) == 1 else 'do'} harm"
    return f"{said}." if of else said


def _copies(row: pd.Series) -> str:
    return f"on {some(row['copies'], 'copy')} of {some(len(row['bearers']), 'card')}"


def _table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Every deck and keyword."""
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without"), "percent")
    formats |= dict.fromkeys(("worth", "worth low", "worth high", "per copy"), "points")
    shown = frame.assign(on=[", ".join(names) for names in frame["bearers"]])
    return table(
        shown, question.id, "What each keyword is worth", columns, {**formats, "copies": "count", "gain": "number"}
    )


def _note(study: Study, found: list[Robbed], frame: pd.DataFrame) -> str:
    """How the worth was measured, and what was not."""
    note = "The keyword is taken off every card of one deck; cards, their other numbers and all other decks stay as they are, "
    note += "and what a card costs stays too, so that the worth is that of the keyword alone, at its present price. With and "
    note += "without it the same games are played with the same dice (common random numbers), and the differences are analysed "
    note += f"as pairs ({size(frame['n'].min())} each, seed {study.fresh_seed}); gain says how many times as many games two "
    note += "separate samples would need. Truncated games are left out. A worth is sure, and coloured, if p (Holm) < "
    note += f"{SURE}, adjusted over all {study.units_word} and keywords; intervals are of each alone."
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    quiet = [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]
    refused = [f"{step.field} ({one.name})" for one in found for step in one.steps if not step.cards]
    note += f" Not one game of the sample went otherwise without: {listed(quiet)}." if quiet else ""
    note += f" The rules of the card file refuse to go without: {listed(refused)}." if refused else ""
    left = len(study.units) - len(found)
    return note + (f" {some(left, study.unit_word).capitalize()} nearer to a fair share not tried." if left else "")
