"""What cards do for their decks: win rates when drawn and played, and causal effects from games with plain cards instead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer import prose
from analysis.answer.cards import sources_under
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import Format, count, points
from analysis.answer.prose import listed, some
from analysis.answer.tables import Table, both_ends, data_only, highest, lowest, table
from analysis.data.commands import deciding_games
from analysis.data.decks import check_deck_game, deck_facts, making_lines
from analysis.data.names import entrant_of
from analysis.data.players import LONG_ANSWER
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.data.usage import CardTally, card_question, fields_of
from analysis.decks.cards import deck_cards, pooled_cards, turns_played
from analysis.question import question
from analysis.variants.compare import decks_tried
from analysis.variants.variant import GamesOf, replacement_effects, with_effects
from sim.engine.cards import slug
from sim.engine.questions import Cards
from sim.experiments.experiment import Experiment
from sim.seeds import derived_seed

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES, PAIRS = 10_000, 1_000  # games in which cards are observed, and pairs for each card replaced
STEPS = 2**24  # into which a number of games is divided
DECKS_SHOWN = 8  # with more decks, only the pool is shown unless one is named
IN_REPORT = 6  # decks examined card by card in a report
SURE = 0.05  # adjusted p-value below which a difference is significant
EFFECT = {"effect": "estimate", "effect_low": "low", "effect_high": "high", "pairs": "n"}

RATES = {"drawn": "when drawn", "lack": "when not", "change": "difference", "low": "difference low", "high": "difference high"}
FURTHER = {"p_holm": "p drawn (Holm)", "played": "when played", "turn": "own turn played"}
EFFECTS = {"effect": "with it", "effect_low": "with it low", "effect_high": "with it high", "effect_p": "p with it (Holm)"}
COUNTS = {"sure": "sure", "pairs": "pairs", "n": "n"}
FORMATS: dict[str, Format] = {
    **dict.fromkeys(("when drawn", "when not", "when played"), "percent"),
    **dict.fromkeys(("difference", "difference low", "difference high", "with it", "with it low", "with it high"), "points"),
    **dict.fromkeys(("p drawn (Holm)", "p with it (Holm)"), "p"),
}
DETAILS = ("own turn played", "copies", "pairs", "when played", "when not")  # see `Table.details`


@question(
    without=("line_up", "forbid"),
    reads=True,
    examples=("cardstats rookling --games 20000 --policy random", "cardstats riftborn --deck beast_rush"),
)
def cardstats(
    study: Study, games: int | None = None, deck: str | None = None, pairs: int | None = None, by_turn: int | None = None
) -> Answer:
    """Effect of every card: win rate when drawn, not drawn, played, and with a plain card in its place.

    Parameters
    ----------
    games : int, optional
        Games played in all, at most: those in which cards are observed and those with each card replaced. By default, 10,000 are
        observed (with deck, of the deck), plus those of pairs, or fewer games in all, those of about twelve seconds. Of a run:
        the games to read.
    deck : str, optional
        Only this deck, in all games.
    pairs : int, optional
        Of these, games of each deck unchanged, and again with each of its cards replaced; 0 for none. By default 1,000, or with
        games in proportion.
    by_turn : int, optional
        Count cards drawn by this turn of the player as drawn.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.cardstats("rookling", 220, policy="random", progress=False)
    >>> list(result.frames), list(result.frame.columns[:3])
    (['pooled'], ['card', 'card_name', 'entrants'])

    """
    fields = fields_of(card_question(study.game), by_turn)
    experiment, selection = planned(study, games, deck, pairs)
    observed = experiment if selection.deck is None else GamesOf.from_experiment(experiment, selection.deck)
    tally = CardTally(observed, fields)
    for block in study.player.play(observed):
        tally.add(block.rows, block.outcomes)
    effects, again = Effects(), selection.replaced(experiment)
    if again and not study.player.shown:
        effects = replacements(study, selection.fresh(experiment), again)
    cards = examined(study, tally, selection.decks(experiment), effects)
    pooled = pooled_cards(tally) if selection.deck is None and tally.cards.shared else pd.DataFrame()
    facts = observed.facts() | {"games": tally.seen + effects.games, "watched": tally.seen, "replaced": effects.games}
    facts |= {"truncated": tally.truncated, "by_turn": fields.by_turn, **deck_facts(study.game, study.cards)}
    facts |= {} if selection.deck is None else {"deck": study.cards.ids[selection.deck]}
    return answer_of(study, tally, cards, pooled, effects, facts)


# Which games are played


@dataclass(frozen=True)
class Selection:
    """What the user asked for. deck: its number, None for all; pairs: games of each replaced card, 0 for none."""

    deck: int | None = None
    pairs: int = 0

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


def planned(study: Study, games: int | None, deck: str | None, pairs: int | None) -> tuple[Experiment, Selection]:
    """The games to observe, and which cards are replaced. Raises ValueError for arguments that do not fit the game."""
    if pairs is not None and pairs < 0:
        raise ValueError(f"pairs={pairs} must be at least 0")
    if deck is not None:
        check_deck_game(study.game, "deck")
    chosen = None if deck is None else entrant_of(deck, study.game, study.cards)
    selection = Selection(chosen, PAIRS if pairs is None else pairs)
    if study.given is not None:
        return study.given, selection
    usual = study.design(GAMES)
    if games is not None:
        return afforded(usual, selection, games, fixed=pairs is not None)
    if pairs is not None:
        return observed_games(usual, selection, study.games_in(most=GAMES)), selection
    least, most = (games_in_all(usual, selection, scale) for scale in (0.0, 1.0))
    return afforded(usual, selection, max(least, study.games_in(LONG_ANSWER, most)), fixed=False)


def observed_games(experiment: Experiment, selection: Selection, games: int) -> Experiment:
    """The games in which cards are observed; a selected deck plays `games` of them."""
    wanted = games if selection.deck is None else -(-games * len(experiment.cards.ids) // experiment.seats)
    return replace(experiment, games_wanted=max(1, wanted))


def afforded(usual: Experiment, selection: Selection, games: int, fixed: bool) -> tuple[Experiment, Selection]:
    """The games to observe and the pairs per card, for a total of `games`.

    selection: with the usual number of pairs, which is scaled together with the usual games; fixed: keep the number of pairs and
    observe the rest of the games. Raises ValueError for too few games.
    """
    in_all = partial(games_in_all, usual, selection, fixed=fixed)
    least = in_all(0)
    if games < least:
        parts = "with --deck ID of one deck, or --pairs 0" if selection.pairs else "with --deck ID of one deck"
        raise ValueError(f"games={games} must be at least {least} with these decks and pairs; fewer suffice {parts}")
    high = 1.0
    while in_all(high) < games:
        high *= 2
    step = bisect_right(range(STEPS), games, key=lambda step: in_all(high * step / STEPS)) - 1
    return scaled(usual, selection, high / STEPS * step, fixed)


def scaled(usual: Experiment, selection: Selection, scale: float, fixed: bool) -> tuple[Experiment, Selection]:
    """A multiple of the usual games, and of the pairs, unless these are fixed."""
    pairs = max(1, round(selection.pairs * scale)) if selection.pairs and not fixed else selection.pairs
    observed = observed_games(usual, selection, max(1, round(usual.games_wanted * scale)))
    return observed, replace(selection, pairs=pairs)


def games_in_all(usual: Experiment, selection: Selection, scale: float, fixed: bool = False) -> int:
    """Games in all: those observed, and of every deck those unchanged and those without each of its cards. See `scaled`."""
    experiment, how = scaled(usual, selection, scale, fixed)
    replaced, held = how.replaced(experiment), usual.game.decks_for(usual.cards)
    cards = sum(1 + int((held.slots[deck] >= 0).sum()) for deck in replaced) if held else 0
    again = cards * games_of_deck(how.fresh(experiment)) if replaced else 0
    return (experiment.games if selection.deck is None else games_of_deck(experiment)) + again


def games_of_deck(experiment: Experiment) -> int:
    """Games of each deck."""
    return experiment.games * experiment.seats // len(experiment.cards.ids)


# What is measured


@dataclass(frozen=True)
class Effects:
    """Effects of replaced cards, a frame per deck (see `replacement_effects`), cards that the rules refuse to replace, games."""

    frames: tuple[pd.DataFrame, ...] = ()
    refused: tuple[str, ...] = ()
    games: int = 0


def replacements(study: Study, base: Experiment, decks: Sequence[int]) -> Effects:
    """Replace every card of these decks by plain ones. base: the games in which they play."""
    games, frames, refused = 0, [], []

    def play_all(experiments: Sequence[Experiment]) -> Iterator[Shares]:
        nonlocal games
        games += sum(experiment.games for experiment in experiments)
        return study.play_all("games with cards replaced", experiments)

    for deck in decks:
        effects, why = replacement_effects(base, deck, play_all)
        frames += [effects] if len(effects) else []
        refused += [f"{card} ({study.names[deck]}: {words})" for card, words in why.items()]
    return Effects(tuple(frames), tuple(refused), games)


def examined(study: Study, tally: CardTally, decks: Sequence[int], effects: Effects) -> pd.DataFrame:
    """Every card of these decks: see `with_effects`, and copies and source (of the numbers on the card), if there are decks."""
    if not decks:
        return pd.DataFrame()
    every, held = deck_cards(tally), study.game.decks_for(study.cards)
    frame = pd.concat([every[every["entrant"] == deck] for deck in decks], ignore_index=True)
    if held is not None:
        sources = [sources_under(study.cards, f"card.{held.ids[card]}") for card in frame["card"]]
        frame = frame.assign(copies=held.counts[frame["entrant"], frame["card"]], source=sources)
    return with_effects(frame, effects.frames) if effects.frames else frame


# The answer


def answer_of(
    study: Study, tally: CardTally, cards: pd.DataFrame, pooled: pd.DataFrame, effects: Effects, facts: Mapping[str, Any]
) -> Answer:
    """The answer. cards: see `examined`; pooled: see `pooled_cards`; either can be empty."""
    found = [deck_table(tally, cards), data_only(turns_of(tally, cards), "turns")] if len(cards) else []
    best_first = pooled.sort_values("change", ascending=False, na_position="last", kind="stable") if len(pooled) else pooled
    found += [pooled_table(tally, pooled)] if len(pooled) else []
    found = [replace(one, whole=one.frame.assign(card=card_ids(study, one.frame))) for one in found]
    effect = compared(tally, cards, pooled)
    undecided = len(effect.frame) and not effect.sure.any()
    more = deciding_games(tally.seen + effects.games, effect.frame) if undecided else {}
    return Answer(
        summary(tally, effect, more),
        tuple(found),
        drawings(study, tally, cards, best_first),
        tuple(notes(study, tally, effects)),
        facts,
        again={} if study.given else more,
        shown=study.player.shown,
    )


def card_ids(study: Study, frame: pd.DataFrame) -> list[str]:
    """Ids of the cards of a frame: those of the card file for cards of decks, else made of their names."""
    held = study.game.decks_for(study.cards)
    return [slug(name) for name in frame["card_name"]] if held is None else [held.ids[card] for card in frame["card"]]


@dataclass(frozen=True)
class Compared:
    """Cards by what they do. frame: card_name, name if there are several decks, change, low, high, sure. than: what with."""

    frame: pd.DataFrame
    than: str

    @property
    def sure(self) -> pd.Series:
        """Whether each card surely does something."""
        return self.frame["sure"].astype(bool)


def compared(tally: CardTally, cards: pd.DataFrame, pooled: pd.DataFrame) -> Compared:
    """Cards against plain ones, else in games in which they were drawn against others."""
    if "effect" in cards and cards["effect"].notna().any():
        rows = cards.dropna(subset=["effect"])
        rows = rows.assign(change=rows["effect"], low=rows["effect_low"], high=rows["effect_high"], p=rows["effect_p"])
        than = "over a plain card"
    else:
        frame = pooled if len(pooled) else cards
        rows = frame.dropna(subset=["low"])
        rows, than = rows.assign(p=rows["p_holm"]), f"when drawn{drawn_by(tally)}"
    names = ["name"] if "name" in rows and len(set(rows["name"])) > 1 else []
    return Compared(rows.assign(sure=rows["p"] < SURE)[["card_name", *names, "change", "low", "high", "sure"]], than)


def summary(tally: CardTally, effect: Compared, more: Mapping[str, int]) -> str:
    """The sentence: the cards that surely do most and least, or that none does. more: games that would decide."""
    frame, sure = effect.frame, effect.sure
    if frame.empty:
        return f"No card was both drawn and not drawn in enough of {prose.some(tally.seen, 'game')} to compare."
    if not sure.any():
        top = highest(frame, "change", size=True)
        decide = f"about {count(more['games'])} games would decide"
        none = f"Of {some(len(frame), 'card')} none surely helps or hurts"
        return f"{none}; {effect_words(top)} {effect.than} stands out most; {decide}."
    helps, hurts = frame[sure & (frame["change"] > 0)], frame[sure & (frame["change"] < 0)]
    ends = [f"best card: {effect_words(highest(helps, 'change'))} {effect.than}"] if len(helps) else []
    ends += [f"worst card: {effect_words(lowest(hurts, 'change'))}{'' if ends else f' {effect.than}'}"] if len(hurts) else []
    number = f"of {some(len(frame), 'card')} {verb_words(helps, 'surely help')}, {verb_words(hurts, 'hurt')}"
    return f"{prose.capital('; '.join([*ends, number]))}."


def verb_words(cards: pd.DataFrame, verb: str) -> str:
    """A number of cards with a verb: `1 helps`, `2 help`."""
    return f"{count(len(cards))} {verb}{'s' if len(cards) == 1 else ''}"


def effect_words(row: pd.Series) -> str:
    """A card with its effect: `Fireball (Erosion) +4.2 points (+1.0 to +7.4)`."""
    name = f"{row['card_name']} ({row['name']})" if "name" in row.index else row["card_name"]
    return f"{name} {points(row['change'])} points ({points(row['low'])} to {points(row['high'])})"


def deck_table(tally: CardTally, cards: pd.DataFrame) -> Table:
    """Every card of the decks."""
    word = {"name": tally.experiment.game.entrant_word} if len(set(cards["name"])) > 1 else {}
    columns = {**word, "card_name": "card", "copies": "copies", **RATES, **FURTHER, **EFFECTS, **COUNTS}
    value, p = ("effect", "effect_p") if "effect" in cards else ("change", "p_holm")
    caption = f"Every card, drawn{drawn_by(tally)}"
    if value == "effect":
        caption = "Every card in place of a plain one, in points"
    every = card_table(sure_first(cards, value, p), "cards", f"{caption} (sure: allowing for all cards)", columns)
    return replace(every, whole=cards)


def sure_first(cards: pd.DataFrame, value: str, p: str) -> pd.DataFrame:
    """Cards that surely do something, then the others, the best first; if none does, in the order of the decks.

    value, p: columns of the effect and its p-value. Adds sure.
    """
    sure = cards[p] < SURE
    frame = cards.assign(sure=sure.astype(object).where(cards[p].notna(), None))
    if not sure.any():
        return frame
    order = frame.assign(sure=sure).sort_values(["sure", value], ascending=False, na_position="last", kind="stable")
    return frame.loc[order.index]


def pooled_table(tally: CardTally, pooled: pd.DataFrame) -> Table:
    """Every card over all entrants that have it."""
    pooled = sure_first(pooled, "change", "p_holm")
    holders = tally.experiment.game.entrants_word
    columns = {"card_name": "card", "entrants": holders, **RATES, **FURTHER, **COUNTS}
    return card_table(pooled, "pooled", f"Cards over all {holders} that have them, drawn{drawn_by(tally)}", columns)


def card_table(frame: pd.DataFrame, id_: str, caption: str, columns: Mapping[str, str]) -> Table:
    """Table of those columns of a frame that it has and that are not empty."""
    kept = {name: head for name, head in columns.items() if name in frame and frame[name].notna().any()}
    formats = {heading: FORMATS[heading] for heading in kept.values() if heading in FORMATS}
    observed = RATES.values() if "effect" in kept else ()  # shows the company that a card keeps; the effect is causal
    return table(frame, id_, caption, kept, formats, details=(*DETAILS, *observed))


def turns_of(tally: CardTally, cards: pd.DataFrame) -> pd.DataFrame:
    """Win rates by the turn of the first play, see `turns_played`, of the decks examined."""
    turns = turns_played(tally)
    return turns[turns["entrant"].isin(cards["entrant"])].reset_index(drop=True)


def drawn_by(tally: CardTally) -> str:
    """By which turn a card counts as drawn, in words; empty if it can be drawn at any time."""
    return f" by own turn {tally.fields.by_turn}" if tally.fields.by_turn else ""


def drawings(study: Study, tally: CardTally, cards: pd.DataFrame, pooled: pd.DataFrame) -> tuple[Chart, ...]:
    """Effects of the cards of each deck, after those of all decks; without effects, the differences when drawn."""
    if "effect" in cards and cards["effect"].notna().any():
        drawn = [
            Chart(partial(effects_figure, tally, part), f"Change of the win rate of {name} by each card; {study.players}.", id_)
            for (id_, name), part in by_deck(study, cards)
        ]
        title = f"Change of the win rate by each card against plain ones; {study.players}."
        return (*([Chart(partial(effects_figure, tally, cards), title)] if len(drawn) > 1 else []), *drawn)
    frame = (pooled if len(pooled) else cards).dropna(subset=["low"]) if len(pooled) or len(cards) else pooled
    title = f"Win rate when drawn{drawn_by(tally)} less when not; {study.players}."
    return (Chart(partial(drawn_figure, frame), title),) if len(frame) else ()


def by_deck(study: Study, cards: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """Id for a chart, name and cards of each deck."""
    decks = [(int(part["entrant"].iloc[0]), part) for _, part in cards.groupby("entrant", sort=False)]
    return [((slug(study.cards.ids[deck]).replace("_", "-"), study.names[deck]), part) for deck, part in decks]


def effects_figure(tally: CardTally, cards: pd.DataFrame) -> Figure:
    """Effects of cards, best first, and below each the difference when drawn; of several decks both ends."""
    frame = cards.sort_values("effect", ascending=False, na_position="last", kind="stable")
    if len(set(frame["name"])) > 1:
        frame = frame.assign(card_name=frame["name"] + ": " + frame["card_name"])
    columns = {"card_name": "name", **EFFECT, "change": "other", "low": "other_low", "high": "other_high"}
    drawn = both_ends(frame[list(columns)].set_axis(list(columns.values()), axis=1).assign(sure=frame["effect_p"] < SURE))
    words = ("card less plain cards", f"drawn{drawn_by(tally)} less not drawn (conditional)")
    return charts.twofold(drawn, words=words, what="pairs")


def drawn_figure(cards: pd.DataFrame) -> Figure:
    """Win rates when drawn less not drawn, best first; both ends of many."""
    frame = cards.sort_values("change", ascending=False, kind="stable")
    names = frame["name"] + ": " + frame["card_name"] if "name" in frame else frame["card_name"]
    frame = frame.assign(name=names, estimate=frame["change"], sure=frame["p_holm"] < SURE, n=frame["n_drawn"])
    return charts.twofold(both_ends(frame), words=("drawn less not drawn (conditional)", ""), what="drawn")


def notes(study: Study, tally: CardTally, effects: Effects) -> list[str]:
    """How to read the rates and the effects, and what was left out."""
    game = study.game
    plain = game.decks.plain_words if game.decks else ""
    texts: list[str] = [
        ColumnNote(
            "Win rates when drawn or played show what company a card keeps, not what it does: it is drawn more often in long "
            "games, and played more often by the player who is ahead.",
            *("when drawn", "when played", "difference"),
        )
    ]
    if effects.frames:
        texts.append(
            f"With it: all copies of the card against {plain} in the same games with the same dice; Tango's interval for pairs. "
            f"Sure: p (Holm) over the cards of a deck below {SURE}."
        )
    if effects.refused:
        texts.append(f"The card rules refuse to replace {listed(effects.refused)}.")
    if tally.truncated:
        texts.append(prose.truncated_words(tally.truncated, tally.seen, prose.limit_words(game.limits_itself)))
    return [*texts, *making_lines(study.cards)]


# In a report


def in_report(study: Study, asked: Cards) -> Answer | None:
    """The answer from the games of a report; None if the game has no decks or shared cards, or no card can be compared.

    The decks farthest from a fair share are examined card by card. asked: by_turn, decks (at most this number), games (pairs for
    each replaced card, in multiples of the usual number), seats.
    """
    tally = study.card_tally
    if tally is None or not tally.games.any() or not (study.game.decks or tally.cards.shared):
        return None
    seats = study.seats_for(asked)
    decks = decks_tried(study, seats, asked.decks or IN_REPORT) if study.game.decks else []
    effects = Effects()
    if decks:
        pairs = study.games_for(asked, study.budget.deck_games)
        base = study.experiment(seats, -(-pairs * len(study.names) // seats))
        effects = replacements(study, replace(base, seed=study.fresh_seed), decks)
    cards, pooled = examined(study, tally, decks, effects), pooled_cards(tally)
    if not decks and pooled["low"].isna().all():
        return None
    return answer_of(study, tally, cards, pooled, effects, {})
