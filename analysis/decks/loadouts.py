"""Win rates of a deck with another loadout (hero, stance, ability), or with a part of it left blank, in the same games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.data.rows import distinct
from analysis.data.shares import Play, Shares
from analysis.stats.intervals import adjust
from analysis.variants.variant import Step, deck_game, effects
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import Decking, Document, Kit
from sim.experiment import Experiment
from sim.weights import remade

PATH = "kit"  # path of the steps to other loadouts, followed by a number


@dataclass(frozen=True)
class KitSteps:
    """Loadouts that a deck could bring instead of its own.

    own: its current loadout; kits: all loadouts, including its own; blanks: slots that are left blank in turn. steps: one for
    every other loadout, then one for every blank slot; the card rules refuse a step whose `cards` is None.
    """

    entrant: int
    name: str
    own: Kit
    kits: tuple[Kit, ...]
    blanks: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def live(self) -> list[Step]:
        """Steps that can be played."""
        return [step for step in self.steps if step.cards is not None]

    @property
    def refused(self) -> list[str]:
        """Steps that the card rules refuse, in words."""
        return [str(step.value) for step in self.steps if step.cards is None]


@dataclass(frozen=True)
class KitEffects:
    """Effects of loadouts on the win rates of decks, and the worth of their parts. Frames are empty if nothing was played.

    kits: one row per deck and loadout, in the order of the game: entrant, name, kit (in words), group (the choice of the first
    slot), own, one column per slot, estimate, estimate_low, estimate_high (win rate, Wilson), change, low, high (against the
    deck's own loadout; paired), p, gain, n (pairs), truncated (share of the games stopped at a limit, left out), p_holm (over
    all decks and loadouts). The deck's own loadout has change, low and high 0, and no p.

    blanks: one row per deck and part that was left blank: entrant, name, slot, choice (its usual content), worth (in words),
    before, after (win rates with the part and without), change, low, high (with it less without), p, p_holm (over all rows), n,
    gain. truncated_before, truncated_after: shares of the games stopped at a limit, left out.
    """

    kits: pd.DataFrame
    blanks: pd.DataFrame


def kit_steps(game: Game, cards: CardSet, entrant: int) -> KitSteps | None:
    """Alternatives to a deck's loadout; None if there is nothing to exchange. Raises ValueError for a game without decks."""
    decking = deck_game(game)
    if decking.kits is None:
        return None
    deck = cards.ids[entrant]
    documents = decking.kits(cards.document, deck)
    own = next((kit for kit in documents if kit.own), None)
    if own is None:
        return None
    steps = [
        _step(game, cards, f"{PATH}.{number}", kit.title, document)
        for number, (kit, document) in enumerate(documents.items())
        if not kit.own
    ]
    blanks = list(_blanks(game, decking, cards, own, deck))
    slots = tuple(slot for slot, _ in blanks)
    if not steps and not blanks:
        return None
    name = distinct(cards.names)[entrant]
    return KitSteps(entrant, name, own, tuple(documents), slots, (*steps, *(step for _, step in blanks)))


def kit_effects(
    played: Sequence[tuple[KitSteps, Experiment]], decking: Decking, play: Play | None = None
) -> KitEffects:
    """Play the games of every deck with each loadout and with parts left blank, and compare with its own loadout.

    played: the steps of a deck and the games that it plays (`GamesOf`); the other decks keep their loadouts. All games of a
    deck have the same dice, whatever it brings (common random numbers), and are analysed as pairs, see `effects`. play: as in
    `Shares.of`.
    """
    kits, blanks = [], []
    for steps, base in played:
        if not steps.live:
            continue
        before = Shares.of(base, play)
        compared = effects(base, steps.live, steps.name, play, before)
        kits.append(_kits(steps, compared))
        blanks.append(_blank_worths(steps, compared, decking))
    return KitEffects(_adjusted(kits), _adjusted(blanks))


def _blanks(game: Game, decking: Decking, cards: CardSet, own: Kit, deck: str) -> Iterator[tuple[str, Step]]:
    """Slot and step of the deck without each part that can be left blank."""
    for slot, choice in own.parts:
        if slot in decking.blanks:
            try:
                document = decking.blanks[slot].put(cards.document, deck)
            except CardError:  # there is nothing to leave out
                continue
            yield slot, _step(game, cards, slot, f"without {choice}", document)


def _step(game: Game, cards: CardSet, path: str, words: str, document: Document) -> Step:
    """The card set with a changed deck, as a step of a what-if."""
    try:
        return Step(path, 0, "own", words, remade(game, document, cards))
    except CardError as error:
        return Step(path, 0, "own", words, None, str(error).splitlines()[0])


def _kits(steps: KitSteps, compared: pd.DataFrame) -> pd.DataFrame:
    """Rows of the deck's own loadout and of the others that were played."""
    by_path = {row["path"]: row for _, row in compared.iterrows()}
    rows = []
    for number, kit in enumerate(steps.kits):
        row = compared.iloc[0] if kit.own else by_path.get(f"{PATH}.{number}")
        if row is not None:
            rows.append(_line(steps, kit, row, own=kit.own))
    return pd.DataFrame(rows) if len(rows) > 1 else pd.DataFrame()


def _line(steps: KitSteps, kit: Kit, row: pd.Series, own: bool) -> dict[str, object]:
    """Row of a loadout in `KitEffects.kits`. row: of its paired comparison; for the deck's own loadout, of any."""
    facts = {"entrant": steps.entrant, "name": steps.name, "kit": kit.title, "group": kit.group, "own": own}
    when = "before" if own else "after"
    rate = {f"estimate{end}": row[f"{when}{end}"] for end in ("", "_low", "_high")}
    gap = dict.fromkeys(("change", "low", "high"), 0.0) | {"p": np.nan, "gain": np.nan}
    change = gap if own else {column: row[column] for column in gap}
    return {**facts, **dict(kit.parts), **rate, **change, "n": int(row["n"]), "truncated": row[f"truncated_{when}"]}


def _blank_worths(steps: KitSteps, compared: pd.DataFrame, decking: Decking) -> pd.DataFrame:
    """Worth of each part that was left blank: with it less without."""
    own = dict(steps.own.parts)
    part = compared[compared["path"].isin(steps.blanks)]
    if part.empty:
        return pd.DataFrame()
    turned = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"]}
    facts = {"entrant": steps.entrant, "name": steps.name, "slot": part["path"], "choice": part["path"].map(own)}
    worth = part["path"].map({slot: blank.worth for slot, blank in decking.blanks.items()})
    kept = part[["before", "after", "p", "n", "gain", "truncated_before", "truncated_after"]]
    return pd.DataFrame({**facts, "worth": worth, **turned}).join(kept)


def _adjusted(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """All rows in one frame, with p adjusted over those that have one (Holm)."""
    known = [part for part in parts if len(part)]
    if not known:
        return pd.DataFrame()
    frame = pd.concat(known, ignore_index=True)
    return frame.assign(p_holm=adjust(frame["p"]))
