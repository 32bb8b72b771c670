"""Triggers that wait, in words: what TRIGGER decisions are about (RUNE-33, 77, 78)."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.labels import spot_words, thing_name
from sim.games.runeslingers.leaving import first_leaving
from sim.games.runeslingers.names import card_name
from sim.games.runeslingers.record import AILMENT_WORDS
from sim.games.runeslingers.terms import Frame
from sim.games.runeslingers.triggers import FIRST_AREA, PER_SOURCE


def trigger_words(state: np.void, cards: CardSet, number: int) -> str:
    """A waiting trigger of the seat that decides: what it comes from, with its printed number where several of that wait."""
    top, seat = int(state["depth"]) - 1, int(state["seat"])
    if state["frame"][top] == Frame.LEAVING:
        frames = range(int(first_leaving(state)), top + 1)
        at, bit = [(at, bit) for at in frames for bit in _bits(int(state["left"][at]))][number]
        several = (state["card"][frames.start : top + 1] == state["card"][at]).sum() > 1
        where = f" ({spot_words(int(state['place'][at]))})" if several else ""
        return f"let {card_name(cards, int(state['card'][at]))}{where} act (trigger {bit + 1})"
    bits = _bits(int(state["waiting"][top, seat]))
    source, k = divmod(bits[number], PER_SOURCE)
    several = sum(bit // PER_SOURCE == source for bit in bits) > 1
    return f"let {_source(state, cards, seat, source)} act" + (f" (trigger {k + 1})" if several else "")


def _bits(waiting: int) -> list[int]:
    """Numbers of the bits that are set."""
    return [bit for bit in range(waiting.bit_length()) if waiting >> bit & 1]


def _source(state: np.void, cards: CardSet, seat: int, source: int) -> str:
    """What a trigger comes from, numbered as in `triggers.py`."""
    if source == 0:
        return "the stance"
    if source >= FIRST_AREA:
        return AILMENT_WORDS[state["ailment"][seat, source - FIRST_AREA]]
    return thing_name(state, cards, seat, source - 1)
