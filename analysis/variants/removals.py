"""Retest of a recommended step, and the value of keywords: decks with and without each, in the same games."""

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
    """A step that brings an outlier nearest to its fair share: the number, its values before and after, and the cards."""

    entrant: int
    field: str
    present: object
    value: object
    cards: CardSet


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the unchanged cards, at every number of seats; one line each.

    Columns: those of `change` for the entrant, and seats, fair, p_beyond and verdict (of the rate after), field, present,
    value. Empty if there is no cure.
    """
    rows = []
    for cure in cures:
        bases = [games_of(study, cure.entrant, seats, study.retest_seed) for seats in study.contests]
        name = study.units[cure.entrant]
        play = study.player(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            changes = change(base, cure.cards, play)
            lines = changes[changes["name"] == name]
            if lines.empty:  # possible if seats choose their entrants
                continue
            row = lines.iloc[0]
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
    """Add verdicts on the rates after, over all lines (see `verdicts.judged`)."""
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    judged = verdicts.judged(after, verdicts.score(after["estimate"], verdicts.worth(after)))
    return frame.assign(p_beyond=judged["p_beyond"], verdict=judged["verdict"])


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf | GamesOfPart:
    """Balanced games at this number of seats with one entrant, or one part of teams.

    games: about how many; None: the budget's step_games.
    """
    seated = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // seated)
    whole = replace(study.experiment(seats, wanted), seed=seed)
    return (GamesOfPart if study.teams else GamesOf).from_experiment(whole, unit)


def outcome(part: pd.DataFrame) -> str:
    """Sentence on the effect of a cure at each number of seats; empty for an empty frame."""
    if part.empty:
        return ""
    rates = [_rate_words(row) for _, row in part.iterrows()]
    return f"In new games with that step, {part['name'].iloc[0]} would win {listed(rates)}."


def _rate_words(row: pd.Series) -> str:
    """Win rate with a cure at one number of seats, with the fair share."""
    judged = f": {row['verdict']}" if row["verdict"] in verdicts.UNFAIR else ""
    bounds = f"{100 * row['after_low']:.1f} to {percent(row['after_high'])}"
    return f"{percent(row['after'])} {at_seats(row['seats'])} ({bounds}; fair {percent(row['fair'])}{judged})"


def retest_table(study: Study, frame: pd.DataFrame, id_: str = "levers") -> Table:
    """Table of every cure at every number of seats. id_: of the table of the steps."""
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
    return table(frame, f"{id_}-retest", "The best step at every number of seats", columns, formats)


SURE = 0.05  # p-value adjusted over all decks and keywords of the section
USUAL = 8  # decks tried by default
COUNTS = ("games", "Games: played with and without it.")
SHOWN = 14  # most keywords of a deck in the chart


@dataclass(frozen=True)
class Robbed:
    """A deck and the steps that remove each keyword. bearers: names of the cards with it; copies: number of these cards."""

    entrant: int
    name: str
    steps: list[Step]
    bearers: Mapping[str, list[str]]
    copies: Mapping[str, int]


def removals(study: Study, question: Question) -> Section | None:
    """Bars of the value of each keyword to a deck, and per copy with it.

    Settings: decks (at most, those farthest from a fair share), leave_out (keywords not tried), seats, games (in multiples of
    the usual number).
    """
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    tried = decks_tried(study, question, USUAL)
    robbed = [_robbed(study, question, (decking, decks), entrant) for entrant in tried]
    frame = _measured(study, question, [deck for deck in robbed if any(step.cards for step in deck.steps)])
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _most_valuable(study, frame, seats)
    caption = f"Win rate of a {study.unit_word} minus that without the keyword on any of its cards {at_seats(seats)}, "
    caption += f"and the same per copy with the keyword, with {study.policy} in every seat."
    most = frame.groupby("panel", sort=False).head(SHOWN)
    caption += f" At most {SHOWN} keywords each; the table has all." if len(most) < len(frame) else ""
    figure = gains(most, price="copies", unit="copy", counts=COUNTS, bars=True)
    chart = Chart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    note = _note(study, robbed, frame)
    return Section(question.id, question.text, answer, (chart,), (_table(study, question, frame),), note)


def _robbed(study: Study, question: Question, deck_data: tuple[Decking, Decks], entrant: int) -> Robbed:
    """A deck without each of its keywords (ignoring their numbers), in the order of its list."""
    decking, decks = deck_data
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
    """Step that removes a keyword from a deck's cards."""
    try:
        bare = decking.bare(study.cards.document, study.unit_ids[entrant], mark)
        cards = remade(study.game, bare, study.cards)
    except CardError as error:
        return Step(mark, 0, "with", "without", None, str(error).splitlines()[0])
    return Step(mark, 0, "with", "without", cards)


def _measured(study: Study, question: Question, robbed: list[Robbed]) -> pd.DataFrame:
    """Value of each keyword to each deck, largest first: change, low, high, and p adjusted over all (Holm)."""
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    tables = []
    for deck in robbed:
        base = games_of(study, deck.entrant, seats, study.fresh_seed, games)
        live = [step for step in deck.steps if step.cards]
        play = study.player(f"keywords of {deck.name}", base.games * (len(live) + 1))
        part = effects(base, live, deck.name, play)
        worth = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"], "panel": deck.name}
        marks = part["path"]
        facts = {"mark": marks, "bearers": marks.map(dict(deck.bearers)), "copies": marks.map(dict(deck.copies))}
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
    """Keyword without its number; it is removed with any number."""
    return mark.partition("(")[0]


def _most_valuable(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the most valuable keyword, harmful ones and how many are significant."""
    sure = frame[frame["sure"]]
    tried = (
        f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    )
    if sure.empty:
        which = f"any one of the {tried}" if tried else "the keyword"
        return f"Removing {which} does not change the win rate beyond chance."
    top = highest(sure, "change", size=True)
    way = "fewer" if top["change"] > 0 else "more"
    sentences = f"{top['panel']} depends most on {top['name']} ({_copies(top)}): without it the {study.unit_word} wins "
    sentences += f"{points(abs(top['change']))[1:]} points {way} of its {seated(seats)} games "
    sentences += (
        f"{point_interval(-top['high'], -top['low'])}, {percent(top['after'])} instead of {percent(top['before'])}"
    )
    sentences += f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    sentences += (
        f" Of {tried}, {number_word(good)} {'has' if good == 1 else 'have'} a significant value" if tried else ""
    )
    if tried and len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        sentences += f", and {named} significantly {'does' if len(bad) == 1 else 'do'} harm"
    return f"{sentences}." if tried else sentences


def _copies(row: pd.Series) -> str:
    return f"on {some(row['copies'], 'copy')} of {some(len(row['bearers']), 'card')}"


def _table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Table of every deck and keyword."""
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without"), "percent")
    formats |= dict.fromkeys(("worth", "worth low", "worth high", "per copy"), "points")
    shown = frame.assign(on=[", ".join(names) for names in frame["bearers"]])
    return table(
        shown, question.id, "What each keyword is worth", columns, {**formats, "copies": "count", "gain": "number"}
    )


def _note(study: Study, robbed: list[Robbed], frame: pd.DataFrame) -> str:
    """Sentences on how the value was measured, and what was not."""
    note = "The keyword is removed from every card of one deck; cards, their costs, other numbers and all other decks stay the "
    note += (
        "same, so the worth is that of the keyword alone, at its present price. With and without it the same games are "
    )
    note += "played with the same dice (common random numbers), and the differences are analysed as pairs ("
    note += f"{size(frame['n'].min())} each, seed {study.fresh_seed}); gain is how many times as many games two "
    note += "separate samples would need. Truncated games are left out. A worth is significant, and coloured, if p (Holm) < "
    note += f"{SURE}, adjusted over all {study.units_word} and keywords; intervals are for each alone."
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    quiet = [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]
    refused = [f"{step.field} ({deck.name})" for deck in robbed for step in deck.steps if not step.cards]
    note += f" No game of the sample changed without: {listed(quiet)}." if quiet else ""
    note += f" The rules of the card file do not allow removing: {listed(refused)}." if refused else ""
    left = len(study.units) - len(robbed)
    return note + (
        f" {some(left, study.unit_word).capitalize()} nearer to a fair share were not tried." if left else ""
    )
