"""Report sections on win rates over the values of rules and numbers, and on keywords: decks with and without each."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import gains, grid, lines
from analysis.data.shares import Shares, by_entrant
from analysis.data.study import Study
from analysis.document.model import WIN_RATE, Chart, Section, count, highest, lowest, number, percent, points
from analysis.document.prose import (
    assumed_note,
    at_seats,
    capital,
    field_words,
    interval,
    listed,
    number_word,
    point_interval,
    seated,
    size,
    some,
    source_of,
    starred,
    stopped,
    value_words,
)
from analysis.stats.intervals import proportions
from analysis.variants.compare import decks_tried
from analysis.variants.tables import PAIRED, paired_note, remarks, sure_note, table
from analysis.variants.variant import GamesOf, GamesOfPart, Step, adjusted, compare, difference, each_value, effects, made
from sim.engine.cards import CardError
from sim.engine.decks import NO_CARD, Decking, Decks
from sim.engine.questions import Keywords, Sweep
from sim.experiments.experiment import Experiment

ALL = -1  # stands for all entrants together
LINES = 8  # most entrants in the chart of a sweep; those that move most
USUAL = 8  # decks from which keywords are removed by default
KEYWORDS = 14  # most keywords of a deck in the chart


def settings(study: Study, question: Sweep) -> Section | None:
    """Heat maps, one per setting, of every entrant's win rate under each value.

    Its values are with or without the present one, its seats by default the fewest. Each value plays the same games.
    """
    seats = question.seats or min(study.seats)
    if seats not in study.seats or not question.rules:
        return None
    steps = [step for path, texts in question.rules.items() for step in each_value(study.game, study.cards, path, texts)]
    games = study.games_for(question, study.budget.variant_games)
    frame = _measured(study, seats, games, [step for step in steps if step.cards])
    if frame.empty:
        return None
    alone = seats == 1
    frame = frame if alone else frame[frame["entrant"] != ALL]  # in a contest all together win every game
    cells = frame[frame["entrant"] != ALL]
    answer = _answer(study, frame, seats)
    caption = (
        f"{'Success' if alone else 'Win rate'} by {study.unit_word} under each value, {at_seats(seats)}, with {study.policy} in "
        "every seat. Best first, over all values together."
    )
    panels = "setting" if len(set(cells["setting"])) > 1 else None
    drawn = cells.rename(columns={"name": "row", "shown": "column"})
    figure = grid(drawn, panels=panels, label=f"{'success' if alone else 'wins'}, in % of the games")
    chart = Chart(question.id, figure, caption, f"Heat map of {study.unit_word} by value of the setting. {answer}")
    rate = "success" if alone else WIN_RATE
    columns = {"setting": "setting", "value": "value", "name": study.unit_word, "estimate": rate, "low": "low", "high": "high"}
    columns |= {"n": "n", "truncated": "truncated", "turns": "mean turns"}
    every = table(frame, question.id, "Every value", columns, {rate: "percent"})
    refused = [f"{capital(step.name)} {value_words(step.value)}" for step in steps if not step.cards]
    note = (
        f"Every value plays the same line-ups with the same dice, up to {count(frame['n'].max())} games that came to an end; "
        "intervals are Wilson's, for each rate alone. Truncated games, stopped at a limit, are left out of win rates."
    )
    note += remarks(("Refused by the rules of the card file", refused))
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def _measured(study: Study, seats: int, games: int, steps: list[Step]) -> pd.DataFrame:
    """Win rates by setting, value and entrant (ALL: all together), entrants best first over all values.

    Columns: those of `proportions` over finished games, entrant, name, truncated (share of the games), turns (mean), setting,
    value, shown (value, marked if it is played), played.
    """
    base = study.experiment(seats, games)
    play = study.player("settings", base.games * len(steps))
    parts = []
    for step in steps:
        assert step.cards is not None
        shares, played, words = (
            Shares.of(replace(base, cards=step.cards), play),
            step.value == step.before,
            value_words(step.value),
        )
        units = study.by_unit(shares)
        sits, _ = by_entrant(units.entrant, units.share, len(study.units))
        counted, share = units.counted(len(study.units))
        each = (share.sum(axis=0), counted.sum(axis=0), sits.sum(axis=0), (sits * shares.turns[:, None]).sum(axis=0))
        together = (shares.share.sum(), (~shares.truncated).sum(), len(shares.share), shares.turns.sum())
        won, n, of, turns = (np.concatenate([[float(all_)], part]) for all_, part in zip(together, each, strict=True))
        left, mean = (np.divide(sums, of, out=np.full(of.size, np.nan), where=of > 0) for sums in (of - n, turns))
        facts: dict[str, Any] = {"entrant": [ALL, *range(len(study.units))], "name": ["all", *study.units], "truncated": left}
        facts |= {"turns": mean, "setting": capital(step.name), "value": words, "played": played}
        parts.append(proportions(won.clip(max=n), n).assign(**facts, shown=f"{words} (as played)" if played else words))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    strength = frame.groupby("entrant")["estimate"].mean().sort_values(ascending=False, kind="stable")
    order = [ALL, *(entrant for entrant in strength.index if entrant != ALL)]
    rank = frame["entrant"].map({entrant: place for place, entrant in enumerate(order)})
    return frame.iloc[np.lexsort((rank, np.repeat(np.arange(len(parts)), [len(part) for part in parts])))]


def _answer(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the best and worst entrant, and at one seat on the easiest and hardest value over all entrants."""
    sentences = []
    for setting, part in frame.groupby("setting", sort=False):
        words = str(setting).lower()
        if seats == 1:
            whole = part[(part["entrant"] == ALL) & (part["n"] > 0)]
            sentences.append(_easiest(whole, words, study.units_word) if len(whole) else "At one seat, none of the games ended.")
        cells = part[(part["entrant"] != ALL) & (part["n"] > 0)]
        for value, line in cells.groupby("value", sort=False):
            if len(line) > 1 and (line["played"].all() or not cells["played"].any()):
                top, low = highest(line, "estimate"), lowest(line, "estimate")
                sentences.append(
                    f"With {words} \u201c{value}\u201d {at_seats(seats)} {top['name']} {'succeeds in' if seats == 1 else 'wins'} "
                    f"{percent(top['estimate'])} {interval(top['low'], top['high'], top['n'])}, {low['name']} {_rate(low)}."
                )
                break
    return " ".join(sentences)


def _easiest(whole: pd.DataFrame, setting: str, entrants: str) -> str:
    """Sentence on the values with the most and the fewest successes at one seat."""
    top, low = highest(whole, "estimate"), lowest(whole, "estimate")
    answer = f"At one seat, all {entrants} together succeed with {setting} \u201c{top['value']}\u201d in "
    answer += f"{percent(top['estimate'])} {interval(top['low'], top['high'], top['n'])}"
    return f"{answer}, the most, and \u201c{low['value']}\u201d in {_rate(low)}, the fewest." if len(whole) > 1 else f"{answer}."


def _rate(row: pd.Series) -> str:
    """A rate with its interval."""
    return f"{percent(row['estimate'])} ({100 * row['low']:.1f} to {percent(row['high'])})"


def sweep(study: Study, question: Sweep) -> Section | None:
    """Lines of the win rates over the values of each number, a panel per number, with bands.

    Its values ascend, with or without the present one; paths that the card file does not have are ignored, so that a question
    works for other card sets.
    """
    if not study.contests:
        return None
    steps: list[Step] = []
    for path, texts in question.rules.items():
        with suppress(CardError):
            steps += [step for step in each_value(study.game, study.cards, path, texts) if step.before is not None]
    words = {step.field: field_words(study.cards.document, step.field, {}) for step in steps}
    seats = study.seats_for(question)
    base = study.experiment(seats, study.games_for(question, study.budget.variant_games))
    values: list[tuple[dict[str, Any], Any]] = []
    for step in steps:
        if step.cards is not None:
            facts: dict[str, Any] = {"field": words[step.field], "path": step.field, "source": source_of(study.cards, step.field)}
            facts |= {"value": float(step.value), "present": float(step.before), "played": step.value == step.before}
            values.append((facts, replace(base, cards=step.cards)))
    play = study.player(f"values of numbers ({question.id})", base.games * (1 + sum(not facts["played"] for facts, _ in values)))
    frame = compare(base, values, play, measure=_with_turns)
    if frame.empty:
        return None
    frame = adjusted(frame.assign(p=frame["p"].mask(frame["played"])))
    answer = _sweep_answer(frame, seats)
    reach = frame.groupby("name", sort=False)["change"].agg(lambda change: change.abs().max())
    shown = frame[frame["name"].isin(reach.nlargest(LINES).index)]
    drawn = {"panel": starred(shown), "line": shown["name"], "x": shown["value"], "estimate": shown["after"], "n": shown["n"]}
    drawn |= {"present": shown["present"], "low": shown["after_low"], "high": shown["after_high"]}
    few = f" Only the {LINES} that move most are shown." if shown["name"].nunique() < frame["name"].nunique() else ""
    caption = (
        f"Win rate of each {study.unit_word} by the value of a number, {at_seats(seats)} with {study.policy} in all seats; the "
        f"same games and dice at every value, dashes: the value as played.{assumed_note(frame)}{few}"
    )
    figure = lines(pd.DataFrame(drawn), label="value", close=True)
    chart = Chart(question.id, figure, caption, f"Lines of win rates over the values of a number. {answer}")
    columns = {"field": "number", "present": "as played", "value": "value", "name": study.unit_word, "after": "win rate"}
    columns |= {"after_low": "low", "after_high": "high", "change": "change", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"turns": "mean turns", "source": "source", "change_low": "change low", "change_high": "change high"}
    changes = {"change": frame["change"], "change_low": frame["low"], "change_high": frame["high"]}
    listed_ = frame.assign(**{name: change.mask(frame["played"]) for name, change in changes.items()})
    every = table(listed_, question.id, "Every value", columns, {"value": "number", "as played": "number"})
    note = (
        "Every value plays the same line-ups and dice (common random numbers): changes against the value played are analysed as "
        "pairs. Bands: Wilson intervals for each rate alone. Truncated games are left out."
    )
    note += sure_note(f"values and {study.units_word}", "A change is significant")
    refused = [f"{words[step.field]} {step.value}" for step in steps if not step.cards]
    note += remarks(("Refused by the rules of the card file", refused))
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def _with_turns(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes of the win rates, and turns: the mean length after."""
    return difference(base, before, after).assign(turns=float(np.mean(after.turns)))


def _sweep_answer(frame: pd.DataFrame, seats: int) -> str:
    """Sentences by number: the largest change of a win rate at the value nearest to the present one, and the length of games."""
    sentences: list[str] = []
    for field, part in frame.groupby("field", sort=False):
        moved = part[~part["played"]]
        if moved.empty:
            continue
        gap = (moved["value"] - moved["present"]).abs()
        top = highest(moved[gap == gap.min()], "change", size=True)
        ends = part.drop_duplicates("value").sort_values("value")
        first, last = ends.iloc[0], ends.iloc[-1]
        sentences.append(
            f"{'With' if sentences else 'with'} \u201c{field}\u201d at {number(top['value'])} instead of "
            f"{number(top['present'])} {top['name']} wins {percent(top['after'])} instead of {percent(top['before'])}, "
            f"{points(top['change'])} points {point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
            f"{stopped(top['truncated_before'] + top['truncated_after'])}{'' if top['sure'] else ', which may be chance'}; from "
            f"{number(first['value'])} to {number(last['value'])} games go from {first['turns']:.1f} to {last['turns']:.1f} "
            "turns."
        )
    return f"{capital(at_seats(seats))}, {' '.join(sentences)}" if sentences else "No other value can be played."


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf | GamesOfPart:
    """Balanced games at this number of seats with one entrant, or one part of teams.

    games: about how many; None: the budget's step_games.
    """
    places = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // places)
    whole = replace(study.experiment(seats, wanted), seed=seed)
    return (GamesOfPart if study.teams else GamesOf).from_experiment(whole, unit)


@dataclass(frozen=True)
class Robbed:
    """A deck and the steps that remove each keyword. bearers: names of the cards with it; copies: number of these cards."""

    entrant: int
    name: str
    steps: list[Step]
    bearers: Mapping[str, list[str]]
    copies: Mapping[str, int]


def removals(study: Study, question: Keywords) -> Section | None:
    """Bars of the value of each keyword to a deck, and per copy with it, of the decks farthest from a fair share."""
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    robbed = [_robbed(study, question, (decking, decks), entrant) for entrant in decks_tried(study, question, USUAL)]
    parts = []
    for deck in robbed:
        live = [step for step in deck.steps if step.cards]
        if live:
            base = games_of(study, deck.entrant, seats, study.fresh_seed, games)
            part = effects(base, live, deck.name, study.player(f"keywords of {deck.name}", base.games * (len(live) + 1)))
            turned: dict[str, Any] = {
                "change": 0 - part["change"],
                "low": 0 - part["high"],
                "high": 0 - part["low"],
                "panel": deck.name,
            }
            turned |= {"name": part["path"], "bearers": part["path"].map(dict(deck.bearers))}
            part = part.assign(**turned, copies=part["path"].map(dict(deck.copies)))
            parts.append(part.sort_values("change", ascending=False, kind="stable"))
    if not parts or not sum(map(len, parts)):
        return None
    frame = adjusted(pd.concat(parts, ignore_index=True))
    frame = frame.assign(price=frame["copies"], per_copy=frame["change"] / frame["copies"])
    answer = _most_valuable(study, frame, seats)
    most = frame.groupby("panel", sort=False).head(KEYWORDS)
    caption = (
        f"Win rate of a {study.unit_word} minus that without the keyword on any of its cards {at_seats(seats)}, and the same per "
        f"copy with the keyword, with {study.policy} in every seat."
    )
    caption += f" At most {KEYWORDS} keywords each; the table has all." if len(most) < len(frame) else ""
    counts = ("games", "Games: played with and without it.")
    figure = gains(most, price="copies", unit="copy", counts=counts, bars=True)
    chart = Chart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {name: PAIRED[name] for name in ("p_holm", "n", "gain")}
    shares, worths = ("with", "without"), ("worth", "worth low", "worth high", "per copy")
    every = table(
        frame.assign(on=frame["bearers"].map(", ".join)),
        question.id,
        "What each keyword is worth",
        columns,
        {**dict.fromkeys(shares, "percent"), **dict.fromkeys(worths, "points"), "copies": "count"},
    )
    return Section(question.id, question.text, answer, (chart,), (every,), _removals_note(study, robbed, frame))


def _robbed(study: Study, question: Keywords, deck_data: tuple[Decking, Decks], entrant: int) -> Robbed:
    """A deck without each of its keywords (ignoring their numbers), in the order of its list."""
    decking, decks = deck_data
    bearers: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    for card in decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist():
        for mark in dict.fromkeys(mark.partition("(")[0] for mark in decks.marks[card]):
            bearers.setdefault(mark, []).append(decks.names[card])
            copies[mark] = copies.get(mark, 0) + int(decks.counts[entrant, card])
    bare = partial(decking.bare, study.cards.document, study.unit_ids[entrant])
    kept = [mark for mark in bearers if mark not in question.leave_out]
    steps = [made(study.game, study.cards, (mark, "with", "without"), partial(bare, mark)) for mark in kept]
    return Robbed(entrant, study.units[entrant], steps, bearers, copies)


def _most_valuable(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the most valuable keyword, harmful ones and how many are significant."""
    sure = frame[frame["sure"]]
    tried = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        which = f"any one of the {tried}" if tried else "the keyword"
        return f"Removing {which} does not change the win rate beyond chance."
    top = highest(sure, "change", size=True)
    answer = (
        f"{top['panel']} depends most on {top['name']} (on {some(top['copies'], 'copy')} of {some(len(top['bearers']), 'card')}"
        f"): without it the {study.unit_word} wins {points(abs(top['change']))[1:]} points "
        f"{'fewer' if top['change'] > 0 else 'more'} of its {seated(seats)} games {point_interval(-top['high'], -top['low'])}, "
        f"{percent(top['after'])} instead of {percent(top['before'])}"
        f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    )
    if not tried:
        return answer
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    answer += f" Of {tried}, {number_word(good)} {'has' if good == 1 else 'have'} a significant value"
    if len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        answer += f", and {named} significantly {'does' if len(bad) == 1 else 'do'} harm"
    return f"{answer}."


def _removals_note(study: Study, robbed: list[Robbed], frame: pd.DataFrame) -> str:
    """Sentences on how the value was measured, and what was not."""
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    quiet = [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]
    refused = [f"{step.field} ({deck.name})" for deck in robbed for step in deck.steps if not step.cards]
    left = len(study.units) - len(robbed)
    note = (
        "The keyword is removed from every card of one deck; cards, their costs, other numbers and all other decks stay the "
        "same, so the worth is that of the keyword alone, at its present price. "
        f"{paired_note('A deck with the keyword and one without it')} Each worth: {size(frame['n'].min())}, seed "
        f"{study.fresh_seed}.{sure_note(f'{study.units_word} and keywords', 'A worth is significant, and coloured,')}"
    )
    note += remarks(
        ("No game of the sample changed without", quiet), ("The rules of the card file do not allow removing", refused)
    )
    return note + (f" {some(left, study.unit_word).capitalize()} nearer to a fair share were not tried." if left else "")
