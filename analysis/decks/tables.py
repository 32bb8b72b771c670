"""Tables of `cardstats` and `loadouts`, for the commands and for reports.

`card_stats` plays the games that show which card carries or drags a deck: win rates when drawn and played, and causal effects.
`loadout_stats` plays every loadout of a deck, and its loadout with each part left blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import choices, gains, twofold
from analysis.data.decks import deck_facts, making_lines
from analysis.data.shares import Play
from analysis.data.usage import CardTally, card_question, fields_of
from analysis.decks.cards import (
    CONDITIONAL,
    LoadoutEffects,
    LoadoutSteps,
    Meetings,
    deck_cards,
    keyword_effects,
    least_decks,
    loadout_effects,
    loadout_steps,
    pool_statistics,
    pooled_cards,
    turns_played,
)
from analysis.document.model import SECONDARY, Format, Table, both_ends, count, limit_words, percent, truncated_words
from analysis.variants.variant import GamesOf, deck_game, replacement_effects, with_effects
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from sim.seeds import SEED_MAX

RATES = ("when drawn", "when not", "when played", "drawn from", "drawn to", "not from", "not to", "played from", "played to")
GAPS = ("difference", "difference low", "difference high", "with it", "with it low", "with it high")
HELD = ("decks with", "decks without", "with low", "with high", "without low", "without high")
DETAILS = ("own turn played", "copies", "level", "copies in these", "pairs", "when played", "when not")  # see `Table.secondary`
COPY = ("a copy", "a copy low", "a copy high")

FORMATS: dict[str, Format] = {
    **dict.fromkeys((*RATES, *HELD, "win rate", "low", "high"), "percent"),
    **dict.fromkeys((*GAPS, *COPY, "worth", "worth low", "worth high"), "points"),
    "n": "count",
    **dict.fromkeys(("p drawn (Holm)", "p with it (Holm)", "p copy (Holm)", "p (Holm)"), "p"),
}

_DRAWN = {"drawn": "when drawn", "lack": "when not", "change": "difference", "low": "difference low", "high": "difference high"}
_BOUNDS = {
    f"{of}_{end}": f"{word} {way}"
    for of, word in (("drawn", "drawn"), ("lack", "not"), ("played", "played"))
    for end, way in (("low", "from"), ("high", "to"))
}
_COUNTS = {"n_drawn": "n drawn", "n_lack": "n not drawn", "n_played": "n played"}
_TURNS = {"turn": "own turn played", "turn_low": "turn low", "turn_high": "turn high"}
_EFFECT = {"effect": "with it", "effect_low": "with it low", "effect_high": "with it high", "effect_p": "p with it (Holm)"}


def deck_table(frame: pd.DataFrame, id_: str, caption: str, whole: bool = True) -> Table:
    """Table of `with_effects`. whole: every bound and count, otherwise what fits a terminal."""
    columns = {"card_name": "card", **({"copies": "copies"} if "copies" in frame else {}), **_DRAWN}
    columns |= {"p_holm": "p drawn (Holm)"} if whole else {}
    columns |= {"played": "when played", "turn": "own turn played"}
    if "effect" in frame:
        columns |= {**_EFFECT, "pairs": "pairs"}
    columns |= {"n": "n"}
    columns |= {**_BOUNDS, **_COUNTS, **_TURNS} if whole else {}
    columns |= {"source": "source"} if whole and "source" in frame else {}
    return _table(frame, id_, caption, columns)


def pooled_table(frame: pd.DataFrame, id_: str, caption: str, holders: str, whole: bool = True) -> Table:
    """Table of `pooled_cards`. holders: word for the entrants that have a card."""
    columns = {"card_name": "card", "entrants": holders, **_DRAWN, "p_holm": "p drawn (Holm)"}
    columns |= {"played": "when played", "turn": "own turn played", "n": "n"}
    columns |= {**_BOUNDS, **_COUNTS, **_TURNS} if whole else {}
    return _table(frame, id_, caption, columns)


def pool_table(frame: pd.DataFrame, id_: str, caption: str, whole: bool = True) -> Table:
    """Table of `pool_statistics`."""
    columns = {"card_name": "card", "level": "level", "decks": "decks", "copies": "copies in these"}
    columns |= {"copy": "a copy", "copy_low": "a copy low", "copy_high": "a copy high", "copy_p_holm": "p copy (Holm)"}
    columns |= {"held": "decks with", "lack": "decks without", "change": "difference"}
    columns |= {"low": "difference low", "high": "difference high", "p_holm": "p (Holm)", "n": "n"}
    if whole:
        columns |= {"held_low": "with low", "held_high": "with high", "lack_low": "without low", "lack_high": "without high"}
    return _table(frame, id_, caption, columns)


def keyword_table(frame: pd.DataFrame, id_: str, caption: str) -> Table:
    """Table of `keyword_effects`."""
    columns = {"keyword": "keyword", "cards": "cards", "decks": "decks", "value": "worth", "low": "worth low"}
    return _table(frame, id_, caption, columns | {"high": "worth high", "p_holm": "p (Holm)", "n": "n"})


def turn_table(frame: pd.DataFrame, id_: str, caption: str, deck: str) -> Table:
    """Table of `turns_played`."""
    columns = {"name": deck, "card_name": "card", "turn": "own turn", "estimate": "win rate", "low": "low", "high": "high"}
    return _table(frame, id_, caption, columns | {"n": "n"})


def _table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str]) -> Table:
    """Table of some columns of a frame, without empty columns.

    The `table` of reports would load the charts, which the commands do not need to print tables.
    """
    kept = {name: heading for name, heading in columns.items() if not len(frame) or frame[name].notna().any()}
    lines = frame[list(kept)].astype(object).itertuples(index=False)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in line) for line in lines)
    formats = {heading: form for heading, form in FORMATS.items() if heading in kept.values()}
    return Table(id_, tuple(kept.values()), rows, caption, formats, secondary=(*DETAILS, *SECONDARY))


HALVINGS = 24  # after which the bisection is precise enough
DECKS_SHOWN = 8  # with more decks, only the pool is shown unless one is named
Player = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class CardStats:
    """Card statistics of one run: tables, plain values, and the tally. effects: of cards that were replaced."""

    facts: dict[str, Any]
    shown: tuple[Table, ...]
    whole: dict[str, Table]
    lines: tuple[str, ...]
    tally: CardTally
    effects: pd.DataFrame

    def main(self) -> Table:
        """Return the table of the CSV file, which is the first."""
        return next(iter(self.whole.values()))

    def tables(self) -> list[Table]:
        """Return the tables that fit a terminal."""
        return list(self.shown)

    def as_json(self) -> dict[str, Any]:
        """Return facts and tables as one mapping."""
        return {"facts": self.facts} | self.whole


@dataclass(frozen=True)
class Selection:
    """What the user asked for. deck: its number, None for all; pairs: games of each replaced card, 0 for none."""

    deck: int | None = None
    pairs: int = 0
    by_turn: int | None = None


def observed(experiment: Experiment, asked: Selection, games: int) -> Experiment:
    """The games in which cards are observed; a selected deck plays `games` of them."""
    whole = asked.deck is not None
    wanted = -(-games * len(experiment.cards.ids) // experiment.seats) if whole else games
    return replace(experiment, games_wanted=max(1, wanted))


def observed_games(experiment: Experiment, asked: Selection) -> int:
    """Number of games of `observed` that are played: those of the selected deck, or all."""
    if asked.deck is None:
        return experiment.games
    return experiment.games * experiment.seats // len(experiment.cards.ids)


def replaced_games(experiment: Experiment, asked: Selection) -> int:
    """Upper bound of the games for replacing cards: for every deck its games unchanged, and again for each card."""
    decks = experiment.game.decks_for(experiment.cards)
    if decks is None or not _replaced(experiment, asked):
        return 0
    each = observed_games(_fresh(experiment, asked), Selection(0))
    return sum(each * (1 + int((decks.slots[deck] >= 0).sum())) for deck in _looked_at(experiment, asked))


def afforded(experiment: Experiment, asked: Selection, games: int, fixed: bool) -> tuple[Experiment, Selection]:
    """The games to observe and the pairs per card, for a total of `games`.

    asked: with the usual number of pairs, which is scaled together with the games of `experiment`; fixed: keep the number of
    pairs and observe the rest of the games. Raises ValueError for too few games.
    """
    usual = experiment.games_wanted

    def scaled(scale: float) -> tuple[Experiment, Selection]:
        pairs = max(1, round(asked.pairs * scale)) if asked.pairs and not fixed else asked.pairs
        return observed(experiment, asked, max(1, round(usual * scale))), replace(asked, pairs=pairs)

    def in_all(scale: float) -> int:
        base, how = scaled(scale)
        return observed_games(base, how) + replaced_games(base, how)

    if games < (least := in_all(0)):
        parts = "with --deck ID of one deck, or --pairs 0" if asked.pairs else "with --deck ID of one deck"
        raise ValueError(f"games={games} must be at least {least} with these decks and pairs; fewer suffice {parts}")
    low, high = 0.0, 1.0
    while in_all(high) < games:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if in_all(middle) <= games else (low, middle)
    return scaled(low)


def _replaced(experiment: Experiment, asked: Selection) -> bool:
    """Whether cards are replaced."""
    few = asked.deck is not None or len(experiment.cards.ids) <= DECKS_SHOWN
    decks = experiment.game.decks is not None and len(experiment.cards.ids) >= experiment.seats
    return bool(asked.pairs) and few and decks and experiment.teams is None


def _looked_at(experiment: Experiment, asked: Selection) -> list[int]:
    """Decks that are examined card by card."""
    return list(range(len(experiment.cards.ids))) if asked.deck is None else [asked.deck]


def _fresh(experiment: Experiment, asked: Selection) -> Experiment:
    """The games in which cards are replaced."""
    wanted = -(-asked.pairs * len(experiment.cards.ids) // experiment.seats)
    return replace(experiment, games_wanted=wanted, seed=(experiment.seed + 1) % (SEED_MAX + 1))


def card_stats(experiment: Experiment, asked: Selection, play: Player | None = None) -> CardStats:
    """Play the games and make the tables. Raises ValueError for a game whose outcomes have no counts by card."""
    play = play or blocks
    fields = fields_of(card_question(experiment.game), asked.by_turn)
    whole = experiment if asked.deck is None else GamesOf.from_experiment(experiment, asked.deck)
    tally, meetings = CardTally(whole, fields), Meetings(len(experiment.cards.ids) if experiment.seats == 2 else 0)
    played = 0
    for block in play(whole):
        tally.add(block.rows, block.outcomes)
        played += len(block.rows)
        if meetings.decks:
            meetings.add(block.rows)
    tables = _Tables(whole, tally)
    effects, replaced = pd.DataFrame(), 0
    teams = experiment.teams is not None
    if not teams and (asked.deck is not None or len(experiment.cards.ids) <= DECKS_SHOWN):
        sitting = _looked_at(experiment, asked)
        effects, replaced = _effects(experiment, sitting, asked, play)
        tables.by_deck(sitting, effects)
    if asked.deck is None:
        tables.pool(meetings)
    facts = whole.facts() | {
        "games": played + replaced,
        "watched": played,
        "replaced": replaced,
        "truncated": tally.truncated,
        "by_turn": fields.by_turn,
        **deck_facts(experiment.game, experiment.cards),
    }
    if asked.deck is not None:
        facts |= {"deck": experiment.cards.ids[asked.deck]}
    stopped = truncated_words(tally.truncated, tally.seen, limit_words(experiment.game.limits_itself))
    lines = (_made(whole, played, replaced), stopped, *making_lines(experiment.cards), *tables.lines)
    return CardStats(facts, tuple(tables.shown), tables.whole, lines, tally, effects)


def _effects(experiment: Experiment, decks: list[int], asked: Selection, play: Player) -> tuple[pd.DataFrame, int]:
    """Effects of the cards of some decks, from separate games, and the number of these games; empty if no cards are replaced."""
    if not _replaced(experiment, asked):
        return pd.DataFrame(), 0
    games = 0

    def counted(run: Experiment) -> Iterator[Block]:
        nonlocal games
        for block in play(run):
            games += len(block.rows)
            yield block

    frames = [replacement_effects(_fresh(experiment, asked), deck, counted).frame for deck in decks]
    known = [frame for frame in frames if len(frame)]
    return (pd.concat(known, ignore_index=True) if known else pd.DataFrame()), games


def _made(experiment: Experiment, games: int, replaced: int) -> str:
    """Describe the games behind the tables."""
    cards = experiment.cards
    beside = f" and {count(replaced)} with and without each card, {count(games + replaced)} in total" if replaced else ""
    return (
        f"{cards.title} (digest {cards.digest}): {count(games)} games{beside}, seed {experiment.seed}, policy "
        f"{experiment.policy_words}; games of an entrant against itself are left out."
    )


class _Tables:
    """Collects the tables of a run."""

    def __init__(self, experiment: Experiment, tally: CardTally) -> None:
        self.experiment, self.tally = experiment, tally
        self.shown: list[Table] = []
        self.whole: dict[str, Table] = {}
        self.lines = [f"{CONDITIONAL} Differences: drawn less not drawn, in points; 95 % intervals."]
        by = tally.fields.by_turn
        self.drawn = f" (drawn: by own turn {by})" if by else ""

    def by_deck(self, decks: list[int], effects: pd.DataFrame) -> None:
        """Add a table of every deck, with the effects of its cards."""
        game, frame = self.experiment.game, deck_cards(self.tally)
        held = game.decks_for(self.experiment.cards)
        frame = frame[frame["entrant"].isin(decks)].reset_index(drop=True)
        if held is not None:
            frame.insert(4, "copies", held.counts[frame["entrant"], frame["card"]])
        if len(effects):
            frame = with_effects(frame, [effects])
            assert game.decks is not None
            self.lines.append(
                f"With it: what the card does. All its copies are compared with {game.decks.plain_words} in the same games "
                "with the same dice (a separate seed): win rate with it less win rate without, Tango's interval for pairs, p "
                "adjusted (Holm) over the cards of the deck."
            )
        name = self.experiment.cards.names
        for deck, part in frame.groupby("entrant", sort=False):
            caption = f"Cards of {name[int(str(deck))]}{self.drawn}"
            self.shown.append(deck_table(part, "cards", caption, whole=False))
        listed = frame.assign(card_name=frame["name"] + ": " + frame["card_name"])
        self.whole["cards"] = deck_table(listed, "cards", f"Cards by {game.entrant_word}{self.drawn}")
        if self.tally.fields.played_turn:
            turns = turns_played(self.tally)
            turns = turns[turns["entrant"].isin(decks)]
            self.whole["turns"] = turn_table(turns, "turns", "Win rate by the turn of the first play", game.entrant_word)

    def pool(self, meetings: Meetings) -> None:
        """Add tables over all decks: conditional rates, and with many decks the worth of copies and keywords."""
        game, places = self.experiment.game, self.tally.cards
        if places.shared:
            frame = pooled_cards(self.tally).sort_values("change", ascending=False, kind="stable")
            caption = f"Cards over all {game.entrants_word}{self.drawn}"
            self.whole["pooled"] = pooled_table(frame, "pooled", caption, game.entrants_word)
            self.shown.append(pooled_table(frame, "pooled", caption, game.entrants_word, whole=False))
        decks = game.decks_for(self.experiment.cards)
        if decks is None or np.count_nonzero(meetings.by_deck()[0] if meetings.decks else 0) < least_decks(decks.counts):
            return
        frame, caption = (pool_statistics(meetings, decks), "What a copy is worth instead of an average card, all else equal")
        self.whole["pool"] = pool_table(frame, "pool", caption)
        self.shown.append(pool_table(frame, "pool", caption, whole=False))
        words = keyword_effects(meetings, decks)
        if len(words):
            caption = "What a keyword is worth on a copy, between cards of one level and type"
            self.whole["keywords"] = keyword_table(words, "keywords", caption)
            self.shown.append(self.whole["keywords"])
        self.lines.append(
            "A copy: points of the win rate at an even match, by a logistic regression on the cards of both decks, with decks "
            "as observations. Decks with and without: every deck is one observation, whatever other cards it holds."
        )


SHARES = ("win rate", "low", "high", "with", "without", "truncated", "truncated with", "truncated without")
LOADOUT_GAPS = ("change", "change low", "change high", "worth", "worth low", "worth high")
LOADOUT_FORMATS: dict[str, Format] = {
    **dict.fromkeys(SHARES, "percent"),
    **dict.fromkeys(LOADOUT_GAPS, "points"),
    "p (Holm)": "p",
    "n": "count",
    "gain": "number",
}


@dataclass(frozen=True, eq=False)
class LoadoutStats:
    """Effects of loadouts on decks, as tables, plain values and frames. whole: tables by name, the main one first."""

    facts: dict[str, Any]
    whole: dict[str, Table]
    lines: tuple[str, ...]
    effects: LoadoutEffects

    def main(self) -> Table:
        """Return the table of the CSV file, which is the first."""
        return next(iter(self.whole.values()))

    def tables(self) -> list[Table]:
        """Return all tables."""
        return list(self.whole.values())

    def as_json(self) -> dict[str, Any]:
        """Return facts and tables as one mapping."""
        return {"facts": self.facts} | self.whole


def steps_of(game: Game, cards: CardSet, deck: int | None = None) -> list[LoadoutSteps]:
    """Alternatives to the loadout of every deck, or of one. Raises ValueError if there is nothing to exchange."""
    check_loadouts(game)
    chosen = range(len(cards.ids)) if deck is None else [deck]
    tried = [steps for steps in (loadout_steps(game, cards, index) for index in chosen) if steps and steps.live]
    if not tried:
        raise ValueError(f"{game.name}: no {game.entrant_word} of {cards.title} has another loadout")
    return tried


def loadouts_afforded(experiment: Experiment, tried: Sequence[LoadoutSteps], games: int) -> Experiment:
    """The experiment with the whole rounds that `games` games allow, when all decks play all of their loadouts.

    Raises ValueError for fewer games than one round takes.
    """
    of_deck = experiment.round_games * experiment.seats // len(experiment.cards.ids)
    least = sum(of_deck * (1 + len(steps.live)) for steps in tried)
    if games < least:
        words = experiment.game.entrant_word if len(tried) == 1 else experiment.game.entrants_word
        raise ValueError(
            f"games={games} must be at least {least}: {of_deck} games with each loadout of {len(tried)} {words}; "
            "name one with --deck"
        )
    return replace(experiment, games_wanted=games // least * experiment.round_games)


def loadout_stats(
    experiment: Experiment, deck: int | None = None, play: Play | None = None, tried: Sequence[LoadoutSteps] | None = None
) -> LoadoutStats:
    """Play the games of every deck, or of one, with each loadout. Raises ValueError if there is nothing to exchange.

    Each deck plays those games of the experiment in which it sits. tried: see `steps_of`, made if None.
    """
    game, cards = experiment.game, experiment.cards
    tried = steps_of(game, cards, deck) if tried is None else tried
    played = [(steps, GamesOf.from_experiment(experiment, steps.entrant)) for steps in tried]
    effects = loadout_effects(played, deck_game(game), play)
    whole = {}
    if len(effects.loadouts):
        whole["loadouts"] = loadout_table(effects.loadouts, "loadouts", game.entrant_word)
    if len(effects.blanks):
        whole["parts"] = blank_table(effects.blanks, "parts", game.entrant_word)
    games = sum(base.games * (1 + len(steps.live)) for steps, base in played)
    facts = experiment.facts() | {"games": games, **deck_facts(game, cards)}
    facts |= {"deck": cards.ids[deck]} if deck is not None else {}
    return LoadoutStats(facts, whole, _lines(experiment, tried, games, _truncated(effects)), effects)


def check_loadouts(game: Game) -> None:
    """Raise ValueError for a game whose decks have no loadout to exchange."""
    if game.decks is None or game.decks.loadouts is None:
        raise ValueError(f"loadouts: {game.title} has no decks with loadouts to exchange; choose a game that has them")


def slots_of(loadouts: pd.DataFrame) -> list[str]:
    """Slots of loadouts: the columns of `LoadoutEffects.loadouts` between `own` and `estimate`."""
    columns = [str(column) for column in loadouts.columns]
    return columns[columns.index("own") + 1 : columns.index("estimate")]


def loadout_table(loadouts: pd.DataFrame, id_: str, word: str) -> Table:
    """Table of every deck with every loadout: `LoadoutEffects.loadouts`. word: noun for a deck."""
    columns = {"name": word, **{slot: slot for slot in slots_of(loadouts)}, "mark": "own", "estimate": "win rate"}
    columns |= {"estimate_low": "low", "estimate_high": "high", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain", "truncated": "truncated"}
    shown = loadouts.assign(mark=np.where(loadouts["own"], "own", ""))
    return _loadout_table(shown, id_, "Win rates by loadout, and their difference from the deck's own", columns)


def blank_table(blanks: pd.DataFrame, id_: str, word: str) -> Table:
    """Table of what each part is worth to each deck: `LoadoutEffects.blanks`."""
    columns = {"slot": "part", "name": word, "choice": "its own", "before": "with", "after": "without"}
    columns |= {"change": "worth", "low": "worth low", "high": "worth high", "p_holm": "p (Holm)", "n": "n"}
    more = {"gain": "gain", "truncated_before": "truncated with", "truncated_after": "truncated without"}
    return _loadout_table(blanks, id_, "Worth of a part of the deck's loadout: with it less without", {**columns, **more})


def _loadout_table(frame: pd.DataFrame, id_: str, caption: str, columns: Mapping[str, str]) -> Table:
    """Table of some columns of a frame: name in the frame -> heading."""
    rows = frame[list(columns)].astype(object).itertuples(index=False)
    cells = tuple(tuple(None if pd.isna(cell) or cell == "" else cell for cell in row) for row in rows)
    formats = {heading: form for heading, form in LOADOUT_FORMATS.items() if heading in columns.values()}
    return Table(id_, tuple(columns.values()), cells, caption, formats, secondary=(*SECONDARY, "low"))


def _truncated(effects: LoadoutEffects) -> tuple[float, float]:
    """Largest share of stopped games: with a deck's own loadout, and with any other."""
    loadouts, blanks = effects.loadouts, effects.blanks
    own = [
        *(loadouts.loc[loadouts["own"], "truncated"] if len(loadouts) else []),
        *(blanks["truncated_before"] if len(blanks) else []),
    ]
    other = [*(loadouts["truncated"] if len(loadouts) else []), *(blanks["truncated_after"] if len(blanks) else [])]
    return max(own, default=0.0), max(other, default=0.0)


def _lines(experiment: Experiment, tried: Sequence[LoadoutSteps], games: int, truncated: tuple[float, float]) -> tuple[str, ...]:
    """Describe the games behind the tables, and what the card rules refuse."""
    cards = experiment.cards
    made = f"{cards.title} (digest {cards.digest}): {count(games)} games, seed {experiment.seed}, policy "
    made += f"{experiment.policy_words}."
    limit = limit_words(experiment.game.limits_itself)
    stopped = f"No game was stopped at {limit}."
    if any(truncated):
        stopped = f"Truncated games, stopped at {limit}, are left out of win rates: at most {percent(truncated[0], 2)} of "
        stopped += f"a {experiment.game.entrant_word}'s games with its own loadout, {percent(truncated[1], 2)} with another."
    how = f"A {experiment.game.entrant_word} plays the same games with the same dice with every loadout; changes are "
    how += "in points of the win rate, with Tango's 95 % interval for pairs (linearised if games are truncated) and p adjusted "
    how += "(Holm) over all rows of a table. The others keep their loadouts."
    refused = [f"The card rules refuse {steps.name}: {', '.join(steps.refused)}." for steps in tried if steps.refused]
    return (made, *making_lines(cards), stopped, how, *refused)


def pairs_of(experiment: Experiment, pairs: int) -> Experiment:
    """The experiment with enough games that every entrant plays about `pairs` of them."""
    return replace(experiment, games_wanted=-(-pairs * len(experiment.cards.ids) // experiment.seats))


SURE = 0.05


def loadouts_chart(result: LoadoutEffects) -> Figure | None:
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


def cards_chart(tally: CardTally, effects: pd.DataFrame) -> Figure | None:
    """Effects of cards from replacements, else win rates when drawn minus not drawn, over all entrants; both ends of many."""
    if len(effects):
        several = len(set(effects["name"])) > 1
        frame = effects.sort_values("effect", ascending=False, kind="stable")
        names = frame["name"] + ": " + frame["card_name"] if several else frame["card_name"]
        frame = frame.assign(name=names, estimate=frame["effect"], sure=frame["p_holm"] < SURE)
        words = ("with the card minus with plain ones", "")
        return twofold(both_ends(frame[["name", "estimate", "low", "high", "n", "sure"]]), words=words, what="pairs")
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    drawn = frame.assign(name=frame["card_name"], estimate=frame["change"], sure=frame["p_holm"] < SURE)
    drawn = drawn.drop(columns="n").rename(columns={"n_drawn": "n"})[["name", "estimate", "low", "high", "n", "sure"]]
    return twofold(both_ends(drawn), words=("drawn minus not drawn (conditional)", ""), what="drawn")
