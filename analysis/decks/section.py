"""What cards and bought things are worth: the command `cardstats`, and report sections.

`card_study` is the result of the command. Sections: `cards` shows which card carries or drags a deck, `worth` whether things
that can be bought are worth their price.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.answer import prose, tables
from analysis.answer.cards import sources_under
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.prose import at_seats, capital, listed, number_word, point_interval, size, some
from analysis.answer.tables import Table, highest, lowest, table
from analysis.charts import gains, twofold
from analysis.data.decks import deck_facts, making_lines
from analysis.data.rows import distinct
from analysis.data.study import Study, finished
from analysis.data.usage import CardTally, card_question, fields_of
from analysis.decks.cards import CONDITIONAL, deck_cards, pooled_cards, turns_played
from analysis.stats.paired import win_gains
from analysis.variants.compare import decks_tried
from analysis.variants.variant import GamesOf, replacement_effects, with_effects
from sim.engine.questions import Cards, Question, Worth
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from sim.seeds import derived_seed

SURE = 0.05  # adjusted p-value below which a difference is significant
ENDS = 30  # rows shown from each end of a long table

# ---- tables of cards -------------------------------------------------------------------------------------------------

_RATES = {"drawn": "when drawn", "lack": "when not", "change": "difference", "low": "difference low", "high": "difference high"}
_EFFECTS = {"effect": "with it", "effect_low": "with it low", "effect_high": "with it high", "effect_p": "p with it (Holm)"}
_BOUNDS = {
    f"{side}_{end}": f"{word} {way}"
    for side, word in (("drawn", "drawn"), ("lack", "not"), ("played", "played"))
    for end, way in (("low", "from"), ("high", "to"))
}
_COUNTS = {"n_drawn": "n drawn", "n_lack": "n not drawn", "n_played": "n played"}
_TURNS = {"turn": "own turn played", "turn_low": "turn low", "turn_high": "turn high"}
_BY_TURN = {"card_name": "card", "turn": "own turn", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
_COPY = {"copy": "a copy", "copy_low": "a copy low", "copy_high": "a copy high", "copy_p_holm": "p copy (Holm)"}
_POOL = {"card_name": "card", "level": "level", "decks": "decks", "copies": "copies in these", **_COPY, "held": "decks with"}
_POOL |= {"lack": "decks without", "change": "difference", "low": "difference low", "high": "difference high"}
_POOL |= {"p_holm": "p (Holm)", "n": "n"}
_HELD = {"held_low": "with low", "held_high": "with high", "lack_low": "without low", "lack_high": "without high"}
_KEYWORDS = {"keyword": "keyword", "cards": "cards", "decks": "decks", "value": "worth", "low": "worth low", "high": "worth high"}
_KEYWORDS |= {"p_holm": "p (Holm)", "n": "n"}

_SHARES = (*(_RATES[side] for side in ("drawn", "lack")), "when played", *_BOUNDS.values(), "decks with", "decks without")
_GAPS = (*list(_RATES.values())[2:], *list(_EFFECTS.values())[:3], *list(_COPY.values())[:3])
CARD_FORMATS: dict[str, Format] = {
    **dict.fromkeys((*_SHARES, *_HELD.values()), "percent"),
    **dict.fromkeys((*_GAPS, "worth", "worth low", "worth high"), "points"),
    **dict.fromkeys(("p drawn (Holm)", "p with it (Holm)", "p copy (Holm)"), "p"),
}
DETAILS = ("own turn played", "copies", "level", "copies in these", "pairs", "when played", "when not")  # see `Table.secondary`


def _card_table(frame: pd.DataFrame, id_: str, caption: str, columns: Mapping[str, str], ends: int = 0) -> Table:
    """Table of those columns of a frame that it has and that are not empty."""
    kept = {name: head for name, head in columns.items() if name in frame and (frame.empty or frame[name].notna().any())}
    formats = {heading: CARD_FORMATS[heading] for heading in kept.values() if heading in CARD_FORMATS}
    return replace(table(frame, id_, caption, kept, formats, ends), secondary=(*DETAILS, *tables.SECONDARY))


def _deck_tables(tally: CardTally, frame: pd.DataFrame, id_: str = "", ends: int = 0) -> dict[str, Table]:
    """Every card of some decks, and its win rate by the turn of the first play. frame: see `with_effects`."""
    named, by = frame.assign(card_name=frame["name"].astype(str) + ": " + frame["card_name"]), _drawn_by(tally)
    tables = {"cards": _card_table(named, f"{id_}cards", f"Every card, drawn{by}, played and replaced", _rates(), ends)}
    if tally.fields.played_turn:
        turns, caption = turns_played(tally), "Win rate by the player's turn in which the card was first played"
        turns, columns = turns[turns["entrant"].isin(frame["entrant"])], {"name": tally.experiment.game.entrant_word, **_BY_TURN}
        tables["turns"] = _card_table(turns, f"{id_}turns", caption, columns, ends)
    return tables


def _pooled_caption(tally: CardTally) -> str:
    return f"Cards over all {tally.experiment.game.entrants_word} that have them, drawn{_drawn_by(tally)}"


def _rates(holders: str = "", whole: bool = True) -> dict[str, str]:
    """Columns of `with_effects`, or of `pooled_cards` with `holders`, the word for entrants that have a card.

    whole: every bound and count, otherwise what fits a terminal.
    """
    columns = {"card_name": "card", **({"entrants": holders} if holders else {"copies": "copies"}), **_RATES}
    columns |= {"p_holm": "p drawn (Holm)"} if whole or holders else {}
    columns |= {"played": "when played", "turn": "own turn played", **_EFFECTS, "pairs": "pairs", "n": "n"}
    return columns | ({**_BOUNDS, **_COUNTS, **_TURNS, "source": "source"} if whole else {})


def _pooled_figure(frame: pd.DataFrame) -> Figure:
    """Win rates when drawn less not drawn, over all entrants; both ends of many. frame: those drawn, best first."""
    frame = frame.assign(name=frame["card_name"], estimate=frame["change"], sure=frame["p_holm"] < SURE, n=frame["n_drawn"])
    return twofold(tables.both_ends(frame), words=("drawn less not drawn (conditional)", ""), what="drawn")


def _best_first(frame: pd.DataFrame, column: Any = "change") -> pd.DataFrame:
    return frame.sort_values(column, ascending=False, na_position="last", kind="stable")


def _drawn_by(tally: CardTally, form: str = "{}") -> str:
    """By which turn a card counts as drawn, in words; empty if it can be drawn at any time."""
    return form.format(f" by own turn {tally.fields.by_turn}") if tally.fields.by_turn else ""


# ---- the command -----------------------------------------------------------------------------------------------------

STEPS = 2**24  # into which a number of games is divided
DECKS_SHOWN = 8  # with more decks, only the pool is shown unless one is named
Player = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True)
class Selection:
    """What the user asked for. deck: its number, None for all; pairs: games of each replaced card, 0 for none."""

    deck: int | None = None
    pairs: int = 0
    by_turn: int | None = None

    def decks(self, experiment: Experiment) -> list[int]:
        """Decks that are examined card by card; none of many decks, and no teams."""
        number = len(experiment.cards.ids)
        if experiment.teams is not None or (self.deck is None and number > DECKS_SHOWN):
            return []
        return [*range(number)] if self.deck is None else [self.deck]

    def replaced(self, experiment: Experiment) -> list[int]:
        """Decks whose cards are replaced by plain ones."""
        possible = experiment.game.decks is not None and len(experiment.cards.ids) >= experiment.seats
        return self.decks(experiment) if self.pairs and possible else []

    def fresh(self, experiment: Experiment) -> Experiment:
        """The games in which cards are replaced."""
        wanted = -(-self.pairs * len(experiment.cards.ids) // experiment.seats)
        return replace(experiment, games_wanted=wanted, seed=derived_seed(experiment.seed, "replaced cards"))


def observed(experiment: Experiment, asked: Selection, games: int) -> Experiment:
    """The games in which cards are observed; a selected deck plays `games` of them."""
    wanted = games if asked.deck is None else -(-games * len(experiment.cards.ids) // experiment.seats)
    return replace(experiment, games_wanted=max(1, wanted))


def _games_of_deck(experiment: Experiment) -> int:
    return experiment.games * experiment.seats // len(experiment.cards.ids)


def afforded(experiment: Experiment, asked: Selection, games: int, fixed: bool) -> tuple[Experiment, Selection]:
    """The games to observe and the pairs per card, for a total of `games`.

    asked: with the usual number of pairs, which is scaled together with the games of `experiment`; fixed: keep the number of
    pairs and observe the rest of the games. Raises ValueError for too few games.
    """
    usual, held = experiment.games_wanted, experiment.game.decks_for(experiment.cards)

    def scaled(scale: float) -> tuple[Experiment, Selection]:
        pairs = max(1, round(asked.pairs * scale)) if asked.pairs and not fixed else asked.pairs
        return observed(experiment, asked, max(1, round(usual * scale))), replace(asked, pairs=pairs)

    def in_all(scale: float) -> int:
        """Games observed, and at most so many again: those of every deck unchanged, and once more for each of its cards."""
        base, how = scaled(scale)
        replaced = how.replaced(base)
        cards = sum(1 + int((held.slots[deck] >= 0).sum()) for deck in replaced) if held else 0
        again = cards * _games_of_deck(how.fresh(base)) if replaced else 0
        return (base.games if asked.deck is None else _games_of_deck(base)) + again

    if games < (least := in_all(0)):
        parts = "with --deck ID of one deck, or --pairs 0" if asked.pairs else "with --deck ID of one deck"
        raise ValueError(f"games={games} must be at least {least} with these decks and pairs; fewer suffice {parts}")
    high = 1.0
    while in_all(high) < games:
        high *= 2
    return scaled(high / STEPS * (bisect_right(range(STEPS), games, key=lambda step: in_all(high * step / STEPS)) - 1))


def card_study(experiment: Experiment, asked: Selection, play: Player | None = None) -> Section:
    """Play games and show which cards carry or drag a deck: win rates when drawn and played, and causal effects.

    Raises ValueError for a game whose outcomes have no counts by card.
    """
    play, game, cards = play or blocks, experiment.game, experiment.cards
    whole = experiment if asked.deck is None else GamesOf.from_experiment(experiment, asked.deck)
    tally = CardTally(whole, fields_of(card_question(game), asked.by_turn))
    played = Counter[str]()

    def counted(run: Experiment, what: str = "replaced") -> Iterator[Block]:
        for block in play(run):
            played[what] += len(block.rows)
            yield block

    for block in counted(whole, "watched"):
        tally.add(block.rows, block.outcomes)
    tried = [replacement_effects(asked.fresh(experiment), deck, counted)[0] for deck in asked.replaced(experiment)]
    parts, watched, replaced = [part for part in tried if len(part)], played["watched"], played["replaced"]
    effects = pd.concat(parts, ignore_index=True) if parts else None
    tables, printed = dict[str, Table](), []
    if examined := asked.decks(experiment):
        frame, held = deck_cards(tally), game.decks_for(cards)
        frame = frame[frame["entrant"].isin(examined)].reset_index(drop=True)
        frame = frame if held is None else frame.assign(copies=held.counts[frame["entrant"], frame["card"]])
        frame = frame if effects is None else with_effects(frame, [effects])
        tables = _deck_tables(tally, frame)
        printed = [
            _card_table(part, "cards", f"Cards of {part['name'].iloc[0]}{_drawn_by(tally, ' (drawn:{})')}", _rates(whole=False))
            for _, part in frame.groupby("entrant", sort=False)
        ]
    if asked.deck is None and tally.cards.shared:
        pooled, caption = _best_first(pooled_cards(tally)), _pooled_caption(tally)
        tables["pooled"] = _card_table(pooled, "pooled", caption, _rates(game.entrants_word))
        printed.append(_card_table(pooled, "pooled", caption, _rates(game.entrants_word, whole=False)))
    facts = whole.facts() | {"games": watched + replaced, "watched": watched, "replaced": replaced}
    facts |= {"truncated": tally.truncated, "by_turn": tally.fields.by_turn, **deck_facts(game, cards)}
    facts |= {} if asked.deck is None else {"deck": cards.ids[asked.deck]}
    beside = f" and {count(replaced)} with and without each card, {count(watched + replaced)} in total" if replaced else ""
    plain = game.decks.plain_words if game.decks else ""
    lines = [
        f"{cards.title} (digest {cards.digest}): {count(watched)} games{beside}, seed {whole.seed}, policy "
        f"{whole.policy_words}; games of an entrant against itself are left out.",
        prose.truncated_words(tally.truncated, tally.seen, prose.limit_words(game.limits_itself)),
        *making_lines(cards),
        f"{CONDITIONAL} Differences: drawn less not drawn, in points; 95 % intervals.",
    ]
    if parts:
        lines.append(
            f"With it: what the card does. All its copies are compared with {plain} in the same games with the same dice (a "
            "separate seed): win rate with it less win rate without, Tango's interval for pairs, p adjusted (Holm) over the "
            "cards of the deck."
        )
    if "pool" in tables:
        lines.append(
            "A copy: points of the win rate at an even match, by a logistic regression on the cards of both decks, with decks "
            "as observations. Decks with and without: every deck is one observation, whatever other cards it holds."
        )

    def draw() -> Figure | None:
        frame = _best_first(pooled_cards(tally).dropna(subset=["low"])) if effects is None else effects
        return None if frame.empty else (_pooled_figure if effects is None else _effects_figure)(frame)

    return Section(
        "cards",
        tables=tuple(tables.values()),
        lines=tuple(lines),
        printed=tuple(printed),
        data={"facts": facts, **tables},
        draw=draw,
    )


def _effects_figure(effects: pd.DataFrame) -> Figure:
    """Effects of the cards of one or several decks, best first; both ends of many."""
    frame = effects.sort_values("effect", ascending=False, kind="stable")
    names = frame["name"] + ": " + frame["card_name"] if len(set(frame["name"])) > 1 else frame["card_name"]
    frame = frame.assign(name=names, estimate=frame["effect"], sure=frame["p_holm"] < SURE)
    return twofold(tables.both_ends(frame), words=("with the card less with plain ones", ""), what="pairs")


# ---- cards of decks in a report --------------------------------------------------------------------------------------

USUAL = 6  # decks examined card by card


@dataclass(frozen=True)
class Looked:
    """A deck, its cards (see `with_effects`), and those that cannot be replaced."""

    entrant: int
    name: str
    frame: pd.DataFrame
    refused: dict[str, str]


def cards(study: Study, question: Cards) -> Section | None:
    """Effect of each card of a deck beside its win rate when drawn less not drawn, with tables.

    Roles: see `card_tally.ROLES`, measures that count by card. Settings: by_turn (drawn by that turn of the player), decks (at
    most this number, those farthest from a fair share), games (pairs per replaced card, in multiples of the usual number),
    seats. If entrants are not decks, nothing can be replaced and cards are pooled over all entrants.
    """
    tally, game = study.card_tally, study.game
    if tally is None or not tally.games.any() or not (game.decks or tally.cards.shared):
        return None
    if game.decks is None:
        return _pooled_section(study, question, tally)
    frame = deck_cards(tally)
    decks = [_examined(study, question, frame, entrant) for entrant in decks_tried(study, question, USUAL)]
    charts = tuple(_deck_chart(study, question, tally, deck) for deck in decks)
    whole = pd.concat([deck.frame for deck in decks], ignore_index=True)
    tables, pooled = _deck_tables(tally, whole, f"{question.id}-", ENDS), _best_first(pooled_cards(tally))
    over_all = _card_table(pooled, f"{question.id}-pooled", _pooled_caption(tally), _rates(game.entrants_word), ENDS)
    answer, known = " ".join(_deck_answer(tally, deck) for deck in decks[:2]), whole["effect"].dropna()
    if len(known):
        sure = whole.loc[whole["effect_p"] < SURE, "effect"]
        answer += f" Of {some(len(known), 'card')} of {some(len(decks), game.entrant_word)} {(sure > 0).sum()} do significantly "
        answer += f"more than a plain card and {(sure < 0).sum()} less."
    refused = [f"{card} ({deck.name}: {why})" for deck in decks for card, why in deck.refused.items()]
    note = (
        f"{CONDITIONAL} Wilson's intervals; differences by Newcombe's method. Effects are causal: all copies of a card in the "
        f"{game.entrant_word} are replaced by {game.decks.plain_words}, both versions play the same games with the same shuffles "
        f"and dice (common random numbers, seed {study.fresh_seed}, {size(whole['pairs'].min())} pairs each), and the "
        "differences are analysed as pairs. They are named and coloured only if p (Holm over the cards of the "
        f"{game.entrant_word}) < {SURE}. They hold for these opponents and for {study.policy}, which plays both. Source: where "
        f"the numbers printed on the card come from.{f' The card rules refuse to replace {listed(refused)}.' if refused else ''}"
    )
    return Section(question.id, question.text, answer, charts, (*tables.values(), over_all), note)


def _examined(study: Study, question: Cards, frame: pd.DataFrame, entrant: int) -> Looked:
    """A deck with the effects of its cards, from separate games."""
    mine = frame[frame["entrant"] == entrant].reset_index(drop=True)
    decks, name = study.game.decks_for(study.cards), study.names[entrant]
    assert decks is not None
    seats, pairs = study.seats_for(question), study.games_for(question, study.budget.step_games)
    base = replace(study.experiment(seats, -(-pairs * len(study.names) // seats)), seed=study.fresh_seed)
    play = study.play_as(f"cards of {name}", -(-base.games * seats // len(study.names)) * (1 + len(mine)))
    effects, refused = replacement_effects(base, entrant, play)
    sources = [sources_under(study.cards, f"card.{decks.ids[card]}") for card in mine["card"]]
    mine = mine.assign(copies=decks.counts[entrant, mine["card"]], source=sources)
    return Looked(entrant, name, with_effects(mine, [effects]), refused)


def _deck_chart(study: Study, question: Question, tally: CardTally, deck: Looked) -> DrawnChart:
    """Cards of a deck, best first."""
    columns = {"card_name": "name", "effect": "estimate", "effect_low": "low", "effect_high": "high", "pairs": "n"}
    columns |= {"change": "other", "low": "other_low", "high": "other_high", "sure": "sure"}
    frame = _best_first(deck.frame, "effect").assign(sure=deck.frame["effect_p"] < SURE)
    drawn, plain = f"drawn{_drawn_by(tally)} less not drawn", study.game.decks.plain_words if study.game.decks else ""
    words = ("card less plain cards", f"{drawn} (conditional)")
    figure = twofold(frame[list(columns)].set_axis(list(columns.values()), axis=1), words=words, what="pairs")
    caption = f"{deck.name}: change of the win rate by each card {at_seats(tally.experiment.seats)} compared with {plain}, and "
    caption += f"below it the win rate {drawn}, with {study.policy} in every seat."
    id_ = f"{question.id}-{study.cards.ids[deck.entrant].replace('_', '-')}"
    return DrawnChart(id_, figure, caption, f"Dot chart of the cards of {deck.name}. {_deck_answer(tally, deck)}")


def _deck_answer(tally: CardTally, deck: Looked) -> str:
    """Cards that carry and drag a deck, and the card whose win rate when drawn is misleading."""
    sure = deck.frame[deck.frame["effect_p"] < SURE]
    if sure.empty:
        return f"No card of {deck.name} does significantly more or less than a plain one."
    top, low = highest(sure, "effect"), lowest(sure, "effect")
    ends = [(top, "carries")] if top["effect"] > 0 else []
    ends += [] if low["effect"] > 0 else [(low, "drags")]
    parts = [
        f"{row['card_name']} {does} it most, {points(row['effect'])} points "
        f"{point_interval(row['effect_low'], row['effect_high'])}"
        for row, does in ends
    ]
    answer, known = f"{deck.name}: {' and '.join(parts)}.", deck.frame.dropna(subset=["change"])
    if known.empty or (drawn := highest(known, "change"))["card"] == top["card"]:
        return answer
    does = points(drawn["effect"]) if pd.notna(drawn["effect"]) else "unknown"
    answer += f" When drawn{_drawn_by(tally)}, {drawn['card_name']} has the largest difference ({percent(drawn['drawn'])}), "
    return f"{answer}but its effect is {does}."


def _pooled_section(study: Study, question: Question, tally: CardTally) -> Section | None:
    """Cards pooled over all entrants, for games in which nothing can be replaced."""
    pooled = _best_first(pooled_cards(tally))
    frame = pooled.dropna(subset=["low"])
    if frame.empty:
        return None
    ends = [
        f"{row['card_name']} {points(row['change'])} points {point_interval(row['low'], row['high'])}"
        for _, row in frame.iloc[[0, -1]].iterrows()
    ]
    surely = int((frame["p_holm"] < SURE).sum())
    answer = f"Drawn{_drawn_by(tally)} less not drawn, the win rate differs most with {listed(ends)}; of "
    answer += f"{some(len(frame), 'card')} {surely} differ{'s' if surely == 1 else ''} significantly."
    caption = f"Win rate when drawn{_drawn_by(tally)} less when not, {at_seats(tally.experiment.seats)} with {study.policy} in "
    chart = DrawnChart(question.id, _pooled_figure(frame), f"{caption}every seat.", f"Dot chart of cards. {answer}")
    rates, words = _rates(study.game.entrants_word), _pooled_caption(tally)
    note = f"{CONDITIONAL} Differences are taken within {study.game.entrants_word}; intervals use groups of games."
    tables = (_card_table(pooled, f"{question.id}-pooled", words, rates, ENDS),)
    return Section(question.id, question.text, answer, (chart,), tables, note)


# ---- things that can be bought ---------------------------------------------------------------------------------------

ENOUGH = 400  # with this number of finished games, the chart prefers more seats
WORTH_LEAST = 20  # seats with a part that the answer requires to name it


def worth(study: Study, question: Worth) -> Section | None:
    """Dots of the difference in win share by part, and per unit of its price, at the largest number of seats with enough games.

    The rows of the table with the prices are in the order of the parts.
    """
    field = question.has
    measure = study.measure(field)
    if not any(measure.parts):
        return None
    where = question.price
    prices, coin, label = _prices(study.cards.document, where, len(measure.parts)), (*where, "", "")[1], measure.label
    named = [part for part, name in enumerate(measure.parts) if name]
    price, frames = np.array([prices[part] for part in named]), []
    for seats in study.seats:
        frame = finished(study.seats_frame, seats)
        have = frame[[f"{field}_{part}" for part in named]].to_numpy() > 0
        gaps = win_gains(frame, have).assign(seats=seats, name=distinct([measure.parts[part] for part in named]), price=price)
        per = {f"{name}_per": gaps[name] / np.where(price > 0, price, np.nan) for name in ("change", "low", "high")}
        frames.append(gaps.assign(sure=gaps["p_holm"] < SURE, **per))
    whole = pd.concat(frames, ignore_index=True)
    known = whole[whole["change"].notna()]
    if known.empty:
        return None
    compared = (known["n_have"] + known["n_lack"]).groupby(known["seats"]).max()
    most = max(compared.index.tolist(), key=lambda seats: (min(int(compared[seats]), ENOUGH), seats))
    shown = _best_first(whole[(whole["seats"] == most) & (whole["n_have"] > 0)])
    answer, unit = _worth_answer(shown, most, coin), coin or "price"
    caption = f"Win share of the seats with a part less that of the seats without it ({label.lower()}), {at_seats(most)}, with "
    caption += f"{study.policy} in every seat{', and the same per ' + coin if coin else ''}."
    figure = gains(shown.assign(n=shown["n_have"]), price=unit, unit=coin)
    chart = DrawnChart(question.id, figure, caption, f"Dots of the difference in win share, one per part. {answer}")
    priced = {"price": unit} if whole["price"].notna().any() else {}
    columns = {"seats": "seats", "name": "part", **priced, "have": "with it", "lack": "without it", "change": "change"}
    columns |= {"low": "low", "high": "high", **({"change_per": f"per {unit}"} if priced else {}), "p_holm": "p (Holm)"}
    columns |= {"n_have": "n (with)", "n_lack": "n (without)"}
    formats: dict[str, Format] = {**dict.fromkeys(("with it", "without it"), "percent"), "n (with)": "count"}
    formats |= {"n (without)": "count", **dict.fromkeys(("low", "high", f"per {unit}"), "points")}
    ordered = whole.sort_values(["seats", "change"], ascending=[True, False], na_position="last", kind="stable")
    numbers = table(ordered, "worth", f"Win share with and without ({label.lower()})", columns, formats)
    note = (
        "These differences show selection, not cause: a player who is ahead, lives longer or has more to spend also buys more, "
        "and a part that only strong players can use looks strong. Read the order, and what differs from others of the same "
        f"{'price in ' + coin if coin else 'kind'}, rather than the size. Finished games; Newcombe's interval of a difference, "
        "with the correlation of both sides because the seats of a game share one win. p (Holm): score test over games, "
        "adjusted for all parts at one number of seats."
    )
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _prices(document: Mapping[str, Any], where: Sequence[str], parts: int) -> list[float]:
    """Price of each part, nan without one. Raises ValueError for a table or number that the card file lacks."""
    unknown = [float("nan")] * parts
    if not where:
        return unknown
    said = f"price={tuple(where)}"
    if len(where) != 2:
        raise ValueError(f"{said} must be a table of the card file and a number of its rows")
    name, number = where
    if name not in document:
        raise ValueError(f"{said}: the card file has no table {name!r}")
    rows = [*(document[name].values() if isinstance(document[name], Mapping) else document[name])]
    if not any(isinstance(row.get(number), (int, float)) for row in rows):
        raise ValueError(f"{said}: no row of {name} has a number {number!r}")
    return [float(row.get(number, "nan")) for row in rows[:parts]] + unknown[len(rows) :]


def _worth_answer(shown: pd.DataFrame, seats: int, coin: str) -> str:
    """Largest and smallest difference, largest per price, and how many are significant."""
    known = shown[shown["change"].notna()]
    enough = known[known["n_have"] >= WORTH_LEAST]
    known = enough if len(enough) else known
    top, bottom = (pick(known, "change") for pick in (highest, lowest))
    apart = [
        f"{points(row['change'])} points (95 % interval {points(row['low'])} to {points(row['high'])}, {size(row['n_have'])})"
        for row in (top, bottom)
    ]
    text = f"{capital(at_seats(seats))} players with {top['name']} win {percent(top['have'])} and players without it "
    text += f"{percent(top['lack'])}, the largest difference: {apart[0]}"
    text += f". The smallest is that of {bottom['name']}: {apart[1]}." if len(known) > 1 else "."
    best = known.dropna(subset=["change_per"]).sort_values("change_per", ascending=False).head(3)
    if coin and len(best):
        per = listed([f"{row['name']} {points(row['change_per'])}" for _, row in best.iterrows()])
        text += f" Most points per {coin}: {per}."
    signs = [int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)]
    better, worse = (number_word(number) if number else "none" for number in signs)
    text += f" Of {some(len(known), 'part')}, {better} go with significantly more wins and {worse} with fewer (Holm)"
    return f"{text}; this shows who has them, not what they do."
