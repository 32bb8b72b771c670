"""What decks should bring: win rates with every other kit, and what each part of a deck's own kit is worth to it."""

import pandas as pd

from analysis.charts import choices, gains
from analysis.kit_stats import blank_table, kit_table, slots_of
from analysis.kits import KitEffects, KitSteps, kit_effects, kit_steps
from analysis.report.answers.prose import (
    at_seats,
    capital,
    listed,
    number_word,
    point_interval,
    seated,
    size,
    some,
    stopped,
)
from analysis.report.answers.retest import games_of
from analysis.report.answers.tables import highest, lowest
from analysis.report.answers.tried import decks_tried
from analysis.report.model import Chart, Section, Table
from analysis.study import Study
from analysis.wording import percent, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all lines of a table
USUAL = 8  # decks tried
COUNTS = ("games", "Games: played with and without it.")


def kits(study: Study, question: Question) -> Section | None:
    """Dots of win rates with each kit, by deck; bars of what a part of the kit is worth; tables of both.

    Settings: decks (how many at most, those farthest from a fair share), seats, games (in multiples of the usual number).
    """
    decking = study.game.decks
    if decking is None or not study.contests:
        return None
    tried = [kit_steps(study.game, study.cards, deck) for deck in decks_tried(study, question, USUAL)]
    found = [steps for steps in tried if steps and steps.live]
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    played = [(steps, games_of(study, steps.entrant, seats, study.fresh_seed, games)) for steps in found]
    play = study.player("kits", sum(base.games * (1 + len(steps.live)) for steps, base in played))
    effects = kit_effects(played, decking, play)
    parts = [part for part in (_kits(study, question, effects), _blanks(study, question, effects)) if part]
    if not parts:
        return None
    answer = " ".join(said for said, _, _ in parts)
    charts = tuple(chart for _, chart, _ in parts)
    tables = tuple(made for _, _, made in parts)
    return Section(question.id, question.text, answer, charts, tables, _note(study, found, effects))


def _kits(study: Study, question: Question, effects: KitEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of the kits."""
    if effects.kits.empty:
        return None
    frame = effects.kits.assign(sure=effects.kits["p_holm"] < SURE)
    slots = slots_of(effects.kits)
    seats = study.seats_for(question)
    said = _said_of_kits(study, frame, seats)
    caption = f"Win rate of each {study.unit_word} with every kit that it may bring {at_seats(seats)}, and how far that is from "
    caption += f"the win rate with its own; the others keep theirs, with {study.policy} in every seat."
    rest = [", ".join(str(row[slot]) for slot in slots[1:]) for _, row in frame.iterrows()]
    drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
    drawn = drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"})
    chart = Chart(question.id, choices(drawn), caption, f"Dots of win rates by kit, one panel per deck. {said}")
    return said, chart, kit_table(frame, question.id, study.unit_word)


def _said_of_kits(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Which decks would surely do better with another kit, and with which; who brings the best as it is."""
    tried = frame["name"].nunique()
    better = frame[frame["sure"] & (frame["change"] > 0)]
    if better.empty:
        of = f"None of {some(tried, study.unit_word)}" if tried > 1 else f"The {study.unit_word} tried"
        not_ = "" if tried > 1 else " not"
        return f"{of} would{not_} surely win more of its {seated(seats)} games with another kit than with its own."
    best = better.sort_values("change", ascending=False, kind="stable").drop_duplicates("name")
    top = best.iloc[0]
    own = frame[frame["own"] & (frame["name"] == top["name"])].iloc[0]
    said = f"{top['name']} would gain most from another kit: with {_quoted(top)} it would win {percent(top['estimate'])} of its "
    said += f"{seated(seats)} games instead of {percent(own['estimate'])} with {_quoted(own)}, {points(top['change'])} points "
    said += f"{point_interval(top['low'], top['high'])}{stopped(top['truncated'] + own['truncated'])}."
    others = [f"{row['name']} with {_quoted(row)} ({points(row['change'])})" for _, row in best.iloc[1:].iterrows()]
    said += f" Surely better too: {'; '.join(others)}." if others else ""
    kept = [name for name in frame["name"].unique() if name not in set(best["name"])]
    return said + (f" No other kit is surely better for {listed(kept)}." if kept else "")


def _quoted(row: pd.Series) -> str:
    """A kit as a sentence has it: its parts together."""
    return f"\u201c{row['kit']}\u201d"


def _blanks(study: Study, question: Question, effects: KitEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of the parts left blank."""
    if effects.blanks.empty:
        return None
    frame = effects.blanks.sort_values(["slot", "change"], ascending=[True, False], kind="stable", ignore_index=True)
    order = list(dict.fromkeys(effects.blanks["slot"]))
    frame = pd.concat([frame[frame["slot"] == slot] for slot in order], ignore_index=True)
    frame = frame.assign(sure=frame["p_holm"] < SURE)
    said = " ".join(_said_of_part(study, part) for _, part in frame.groupby("slot", sort=False))
    heads = [f"{slot}: {worth}" if slot.lower() not in worth.lower() else slot for slot, worth in _named(frame)]
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    figure = gains(frame.assign(panel=heads, name=names), counts=COUNTS, bars=True)
    seats = study.seats_for(question)
    caption = f"Win rate of each {study.unit_word} with a part of its own kit, less that with nothing in its place, "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    id_ = f"{question.id}-parts"
    chart = Chart(id_, figure, caption, f"Bars of what parts of the kit are worth, by part. {said}")
    return said, chart, blank_table(frame, id_, study.unit_word)


def _named(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """Slot and what it is worth, in words, by line."""
    return [(str(slot), str(worth)) for slot, worth in zip(frame["slot"], frame["worth"], strict=True)]


def _said_of_part(study: Study, part: pd.DataFrame) -> str:
    """What a part of the kit is worth: most, least, and to how many for sure."""
    _, worth = _named(part)[0]
    top, bottom = highest(part, "change"), lowest(part, "change")
    begin = f"{capital(worth)} is worth"
    most = f"{points(top['change'])} points to {top['name']} {point_interval(top['low'], top['high'])}"
    if len(part) == 1:
        return f"{begin} {most}{_doubt(part)}."
    least = f"{points(bottom['change'])} to {bottom['name']} {point_interval(bottom['low'], bottom['high'])}"
    sure = part[part["sure"]]
    good, bad = int((sure["change"] > 0).sum()), int((sure["change"] < 0).sum())
    said = (
        f"{begin} most, {most}, and least, {least}; it surely helps {_few(good)} of {some(len(part), study.unit_word)}"
    )
    return said + (f", and surely harms {number_word(bad)}." if bad else ".")


def _few(number: int) -> str:
    return number_word(number) if number else "none"


def _doubt(part: pd.DataFrame) -> str:
    return "" if part["sure"].all() else ", which may be chance"


def _note(study: Study, found: list[KitSteps], effects: KitEffects) -> str:
    """How kits and parts were measured, and what was not."""
    pairs = pd.concat([frame["n"] for frame in (effects.kits, effects.blanks) if len(frame)])
    note = f"The {study.unit_word} plays the same games with the same dice (common random numbers) with its own kit and with the "
    note += f"other, and the differences are analysed as pairs ({size(pairs.min())} each, seed {study.fresh_seed}); gain says "
    note += "how many times as many games two separate samples would need. Its list stays as it is, though it was built for its "
    note += "own kit. A part left blank is replaced by one that does nothing. Truncated games are left out. Differences are "
    note += f"sure, and coloured, if p (Holm) < {SURE}, adjusted over all kits and over all parts; intervals are of each alone. "
    note += f"It holds for these opponents and for {study.policy}, which plays both."
    refused = [f"{words} ({steps.name})" for steps in found for words in steps.refused]
    note += f" The rules of the card file refuse {listed(refused)}." if refused else ""
    left = len(study.units) - len(found)
    return note + (f" {some(left, study.unit_word).capitalize()} not tried." if left else "")
