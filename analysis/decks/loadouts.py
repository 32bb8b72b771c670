"""Loadouts of decks (hero, stance, ability): win rates with each, and the worth of the parts, in the same games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.answer import tables
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, percent, points
from analysis.answer.prose import at_seats, capital, listed, number_word, point_interval, seated, size, some, stopped
from analysis.answer.tables import Table, highest, lowest, table
from analysis.charts import choices, gains
from analysis.data.rows import distinct
from analysis.data.shares import Play
from analysis.data.study import Study
from analysis.stats.intervals import adjust
from analysis.variants.compare import decks_tried
from analysis.variants.rules import games_of
from analysis.variants.variant import Step, compare, deck_game, made, tried, turned_round
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import Decking, Document, Loadout
from sim.engine.questions import Loadouts
from sim.experiments.experiment import Experiment

PATH = "loadout"  # path of the steps to other loadouts, followed by a number
SURE = 0.05  # p-value adjusted over all rows of a table
DECKS_TRIED = 8  # decks tried in a report, by default


@dataclass(frozen=True)
class LoadoutSteps:
    """Loadouts that a deck could bring instead of its own.

    own: its current loadout; loadouts: all loadouts, including its own. live: steps to play; the path is `loadout.N`
    for the N-th loadout, or the slot that is left blank. refused: steps that the card rules refuse, in words.
    """

    entrant: int
    name: str
    own: Loadout
    loadouts: tuple[Loadout, ...]
    live: tuple[Step, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class LoadoutEffects:
    """Effects of loadouts on the win rates of decks, and the worth of their parts. Frames are empty if nothing was played.

    loadouts: one row per deck and loadout, in the order of the game: entrant, name, loadout (in words), group (the choice of the
    first slot), own, one column per slot, estimate, estimate_low, estimate_high (win rate, Wilson), change, low, high (against
    the deck's own loadout; paired), p, gain, n (pairs), truncated (share of the games stopped at a limit, left out), p_holm (over
    all decks and loadouts). The deck's own loadout has change, low and high 0, and no p.

    blanks: one row per deck and part that was left blank: entrant, name, slot, choice (its usual content), worth (in words),
    before, after (win rates with the part and without), change, low, high (with it less without), p, p_holm (over all rows), n,
    gain. truncated_before, truncated_after: shares of the games stopped at a limit, left out.

    truncated: largest shares of stopped games, with a deck's own loadout and with any other.
    """

    loadouts: pd.DataFrame
    blanks: pd.DataFrame
    truncated: tuple[float, float]

    @property
    def pairs(self) -> int:
        """Smallest number of pairs behind a row."""
        return int(min(frame["n"].min() for frame in (self.loadouts, self.blanks) if len(frame)))


def loadout_steps(game: Game, cards: CardSet, entrant: int) -> LoadoutSteps | None:
    """Alternatives to a deck's loadout; None if there is nothing to exchange. Raises ValueError for a game without decks."""
    decking, deck = deck_game(game), cards.ids[entrant]
    documents = decking.loadouts(cards.document, deck) if decking.loadouts else {}
    own = next((loadout for loadout in documents if loadout.own), None)
    if own is None:
        return None
    wanted: list[tuple[str, str, Document]] = [
        (f"{PATH}.{number}", loadout.title, document)
        for number, (loadout, document) in enumerate(documents.items())
        if not loadout.own
    ]
    for slot, choice in own.parts:
        if slot in decking.blanks:
            with suppress(CardError):  # there is nothing to leave out
                wanted.append((slot, f"without {choice}", decking.blanks[slot].put(cards.document, deck)))
    steps = [made(game, cards, (path, "own", words), partial(dict, document)) for path, words, document in wanted]
    live, refused = tuple(step for step in steps if step.cards), tuple(step.value for step in steps if not step.cards)
    return LoadoutSteps(entrant, distinct(cards.names)[entrant], own, tuple(documents), live, refused) if wanted else None


def loadout_effects(
    played: Sequence[tuple[LoadoutSteps, Experiment]], decking: Decking, play: Play | None = None
) -> LoadoutEffects:
    """Play the games of every deck with each loadout and with parts left blank, and compare with its own loadout.

    played: the steps of a deck and the games that it plays (`GamesOf`); the other decks keep their loadouts. All games of a
    deck have the same dice, whatever it brings (common random numbers), and are analysed as pairs, see `compare`. play: as in
    `Shares.of`.
    """
    loadouts, blanks, truncated = list[dict[str, object]](), [], [(0.0, 0.0)]
    for steps, base in played:
        if steps.live:
            compared = compare(base, tried(base, steps.live), play, unit=steps.name)
            loadouts += _loadout_rows(steps, compared)
            blanks.append(_blank_rows(steps, compared, decking))
            truncated.append((compared["truncated_before"].max(), compared["truncated_after"].max()))
    known = [part for part in blanks if len(part)]
    frames = (pd.DataFrame(loadouts), pd.concat(known, ignore_index=True) if known else pd.DataFrame())
    first, second = (frame.assign(p_holm=adjust(frame["p"])) if len(frame) else frame for frame in frames)
    own, other = (max(shares) for shares in zip(*truncated, strict=True))
    return LoadoutEffects(first, second, (own, other))


def _loadout_rows(steps: LoadoutSteps, compared: pd.DataFrame) -> list[dict[str, object]]:
    """Rows of `LoadoutEffects.loadouts` for one deck; none if only its own loadout was played."""
    by_path, rows = compared.set_index("path").to_dict("index"), []
    same = {"change": 0.0, "low": 0.0, "high": 0.0, "p": np.nan, "gain": np.nan}
    for number, loadout in enumerate(steps.loadouts):
        row = next(iter(by_path.values())) if loadout.own else by_path.get(f"{PATH}.{number}")
        if row is None:
            continue
        when = "before" if loadout.own else "after"
        facts = {"entrant": steps.entrant, "name": steps.name, "loadout": loadout.title, "group": loadout.group}
        facts |= {"own": loadout.own, **dict(loadout.parts)}
        facts |= {f"estimate{end}": row[f"{when}{end}"] for end in ("", "_low", "_high")}
        change = same if loadout.own else {name: row[name] for name in same}
        rows.append({**facts, **change, "n": int(row["n"]), "truncated": row[f"truncated_{when}"]})
    return rows if len(rows) > 1 else []


def _blank_rows(steps: LoadoutSteps, compared: pd.DataFrame, decking: Decking) -> pd.DataFrame:
    """Rows of `LoadoutEffects.blanks` for one deck: with the part less without."""
    own, worth = dict(steps.own.parts), {slot: blank.worth for slot, blank in decking.blanks.items()}
    part = compared[compared["path"].isin(own)]
    facts = {"entrant": steps.entrant, "name": steps.name, "slot": part["path"]}
    facts |= {"choice": part["path"].map(own), "worth": part["path"].map(worth)}
    columns = ["change", "low", "high", "before", "after", "p", "n", "gain", "truncated_before", "truncated_after"]
    return pd.DataFrame(facts).join(turned_round(part)[columns])


# ---- tables and charts -----------------------------------------------------------------------------------------------


def slots_of(loadouts: pd.DataFrame) -> list[str]:
    """Slots of loadouts: the columns of `LoadoutEffects.loadouts` between `own` and `estimate`."""
    columns = [str(column) for column in loadouts.columns]
    return columns[columns.index("own") + 1 : columns.index("estimate")]


def loadout_table(loadouts: pd.DataFrame, id_: str, word: str) -> Table:
    """Table of every deck with every loadout: `LoadoutEffects.loadouts`. word: noun for a deck."""
    columns = {"name": word, **{slot: slot for slot in slots_of(loadouts)}, "mark": "own", "estimate": "win rate"}
    columns |= {"estimate_low": "low", "estimate_high": "high", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain", "truncated": "truncated"}
    shown = loadouts.assign(mark=loadouts["own"].map({True: "own", False: None}))
    caption = "Win rates by loadout, and their difference from the deck's own"
    return replace(table(shown, id_, caption, columns, {"gain": "number"}), secondary=(*tables.SECONDARY, "low"))


def blank_table(blanks: pd.DataFrame, id_: str, word: str) -> Table:
    """Table of what each part is worth to each deck: `LoadoutEffects.blanks`."""
    columns = {"slot": "part", "name": word, "choice": "its own", "before": "with", "after": "without"}
    columns |= {"change": "worth", "low": "worth low", "high": "worth high", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"gain": "gain", "truncated_before": "truncated with", "truncated_after": "truncated without"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without", "truncated with", "truncated without"), "percent")
    formats |= {**dict.fromkeys(("worth", "worth low", "worth high"), "points"), "gain": "number"}
    caption = "Worth of a part of the deck's loadout: with it less without"
    return replace(table(blanks, id_, caption, columns, formats), secondary=(*tables.SECONDARY, "low"))


def _choices_figure(loadouts: pd.DataFrame) -> Figure:
    """Win rates with every loadout, by deck."""
    slots = slots_of(loadouts)[1:]
    rest = [", ".join(map(str, row)) for row in loadouts[slots].to_numpy()]
    drawn = loadouts.assign(panel=loadouts["name"], name=rest, sure=loadouts["p_holm"] < SURE).drop(columns=["low", "high"])
    return choices(drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"}))


def _parts_figure(blanks: pd.DataFrame) -> Figure:
    """Worth of every part, by slot."""
    pairs = zip(blanks["slot"].astype(str), blanks["worth"].astype(str), strict=True)
    heads = [f"{slot}: {worth}" if slot.lower() not in worth.lower() else slot for slot, worth in pairs]
    frame = blanks.assign(panel=heads, name=blanks["name"] + ": " + blanks["choice"], sure=blanks["p_holm"] < SURE)
    return gains(frame, counts=("games", "Games: played with and without the part."), bars=True)


# ---- the report section ----------------------------------------------------------------------------------------------


def loadouts(study: Study, question: Loadouts) -> Section | None:
    """Dots of win rates with each loadout, by deck; bars of the worth of each part; tables of both.

    Settings: decks (at most this number, those farthest from a fair share), seats, games (in multiples of the usual number).
    """
    decking, word = study.game.decks, study.unit_word
    if decking is None or not study.contests:
        return None
    possible = [loadout_steps(study.game, study.cards, deck) for deck in decks_tried(study, question, DECKS_TRIED)]
    playable = [steps for steps in possible if steps and steps.live]
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    played = [(steps, games_of(study, steps.entrant, seats, study.fresh_seed, games)) for steps in playable]
    play = study.play_as("loadouts", sum(base.games * (1 + len(steps.live)) for steps, base in played))
    found = loadout_effects(played, decking, play)
    answers, charts, tables, policy = [], [], [], f"with {study.policy} in every seat."
    if len(found.loadouts):
        answers.append(_loadouts_answer(word, found.loadouts, f"{seated(seats)} games"))
        caption = f"Win rate of each {word} with every possible loadout {at_seats(seats)}, and the difference from the win rate "
        caption += f"with its own; the others keep theirs, {policy}"
        alt = f"Dots of win rates by loadout, one panel per deck. {answers[-1]}"
        charts.append(DrawnChart(question.id, _choices_figure(found.loadouts), caption, alt))
        tables.append(loadout_table(found.loadouts, question.id, word))
    if len(frame := found.blanks):
        rank = frame["slot"].map({slot: number for number, slot in enumerate(frame["slot"].unique())})
        frame = frame.iloc[np.lexsort((-frame["change"], rank))].reset_index(drop=True)
        answers.append(" ".join(_part_answer(word, part) for _, part in frame.groupby("slot", sort=False)))
        caption = f"Win rate of each {word} with a part of its loadout less the win rate without it, {at_seats(seats)} {policy}"
        alt = f"Bars of the worth of parts of the loadout, by part. {answers[-1]}"
        charts.append(DrawnChart(f"{question.id}-parts", _parts_figure(frame), caption, alt))
        tables.append(blank_table(frame, f"{question.id}-parts", word))
    if not tables:
        return None
    refused = [f"{words} ({steps.name})" for steps in playable for words in steps.refused]
    left = len(study.units) - len(playable)
    note = (
        f"The {word} plays the same games with the same dice (common random numbers) with its own loadout and with the other. "
        f"Differences are analysed as pairs ({size(found.pairs)} each, seed {study.fresh_seed}). Gain: how many times as many "
        "games two separate samples would need. The list stays as it is, although built for the deck's own loadout. A blank "
        f"part does nothing. Truncated games are left out. Differences are significant, and coloured, if p (Holm) < {SURE}, "
        "adjusted over all loadouts and over all parts; intervals are not adjusted. They hold for these opponents and for "
        f"{study.policy}, which plays both."
        + (f" The rules of the card file refuse {listed(refused)}." if refused else "")
        + (f" {some(left, word).capitalize()} not tried." if left else "")
    )
    return Section(question.id, question.text, " ".join(answers), tuple(charts), tuple(tables), note)


def _loadouts_answer(word: str, frame: pd.DataFrame, games: str) -> str:
    """Decks that would do significantly better with another loadout, and those that already bring the best."""
    names, better = frame["name"].unique(), frame[(frame["p_holm"] < SURE) & (frame["change"] > 0)]
    if better.empty:
        start = f"None of {some(len(names), word)} would" if len(names) > 1 else f"The {word} tried would not"
        return f"{start} win significantly more of its {games} with another loadout than with its own."
    best = better.sort_values("change", ascending=False, kind="stable").drop_duplicates("name")
    top, *rest = best.to_dict("records")
    own = frame[frame["own"] & (frame["name"] == top["name"])].iloc[0]
    others = [f"{row['name']} with \u201c{row['loadout']}\u201d ({points(row['change'])})" for row in rest]
    kept = [name for name in names if name not in set(best["name"])]
    return (
        f"{top['name']} would gain most from another loadout: with \u201c{top['loadout']}\u201d it would win "
        f"{percent(top['estimate'])} of its {games} instead of {percent(own['estimate'])} with \u201c{own['loadout']}\u201d, "
        f"{points(top['change'])} points {point_interval(top['low'], top['high'])}{stopped(top['truncated'] + own['truncated'])}."
        + (f" Also significantly better: {'; '.join(others)}." if others else "")
        + (f" No other loadout is significantly better for {listed(kept)}." if kept else "")
    )


def _part_answer(word: str, part: pd.DataFrame) -> str:
    """Worth of a part: most, least, and to how many decks significantly."""
    sure = part.loc[part["p_holm"] < SURE, "change"]
    most, least = (
        f"{points(row['change'])}{unit} to {row['name']} {point_interval(row['low'], row['high'])}"
        for row, unit in ((highest(part, "change"), " points"), (lowest(part, "change"), ""))
    )
    begin = f"{capital(str(part['worth'].iloc[0]))} is worth"
    if len(part) == 1:
        return f"{begin} {most}{'' if len(sure) else ', which may be chance'}."
    good, bad = int((sure > 0).sum()), int((sure < 0).sum())
    helped = f"it significantly helps {number_word(good) if good else 'none'} of {some(len(part), word)}"
    return f"{begin} most, {most}, and least, {least}; {helped}{f' and significantly harms {number_word(bad)}' if bad else ''}."
