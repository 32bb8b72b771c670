"""Loadouts of decks (hero, stance, ability): win rates with each, and the worth of the parts, in the same games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from analysis.data import together
from analysis.data.rows import distinct
from analysis.stats.intervals import adjust
from analysis.variants.variant import Step, compare, deck_game, made, tried, turned_round
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import Decking, Document, Loadout
from sim.experiments.experiment import Experiment

PATH = "loadout"  # path of the steps to other loadouts, followed by a number
SURE = 0.05  # p-value adjusted over all rows of a table


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
    played: Sequence[tuple[LoadoutSteps, Experiment]], decking: Decking, play_all: together.PlayAll = together.played
) -> LoadoutEffects:
    """Play the games of every deck with each loadout and with parts left blank, and compare with its own loadout.

    played: the steps of a deck and the games that it plays (`GamesOf`); the other decks keep their loadouts. All games of a
    deck have the same dice, whatever it brings (common random numbers), and are analysed as pairs, see `compare`. play_all: as
    there.
    """
    loadouts, blanks, truncated = list[dict[str, object]](), [], [(0.0, 0.0)]
    for steps, base in played:
        if steps.live:
            compared = compare(base, tried(base, steps.live), play_all, unit=steps.name)
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
