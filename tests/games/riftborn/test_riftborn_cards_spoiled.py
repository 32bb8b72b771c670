"""Card files of Riftborn Tactics damaged in some 900 ways: compiled, or refused with the path of the field; nothing else."""

from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, numeric_fields
from sim.games.riftborn.cards import REFERENCE, cautions, from_document, load
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.record import ABILITIES, NONE
from tests.games.spoiling import Reader, Spoiling

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 13, 41, 64, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "creature", "token", "spell", "chosen", "same", "trigger", "self", "any", "enemy", "all", "adjacent"),
    *("BLOCK", "RANGE(2)", "RANGE", "SWARM(2)", "TRICK", "SPELL", "SCRY(6)", "X(", "tok_bones", "beast_cub", "live"),
    *("a\nb", "x" * 200, "é", "rulebook"),
    *([], [1], ["TRICK", "TRICK"], ["AURA(1)"], [0] * 20, [[0]], {}, {"op": "draw", "n": 1}, [{"op": "recall"}]),
    *(
        [[{"op": "draw", "n": 1}]],
        {"side": "all"},
        {"side": "friend", "keyword": "FLIGHT"},
        {"beast_cub": 40},
        {"id": "x"},
    ),
]
KEYS = [
    *(
        "attack",
        "health",
        "level",
        "keywords",
        "aura",
        "tricks",
        "spell_action",
        "summon",
        "transform",
        "effects",
        "op",
    ),
    *(
        "n",
        "target",
        "side",
        "count",
        "where",
        "source",
        "name",
        "double_retarget",
        "beast_cub",
        "atack",
        "a b",
        "",
        "é.x",
    ),
]

_READER = Reader(load, from_document)
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def assert_sound(got: CardSet, document: dict[str, Any]) -> None:
    """What every compiled file is."""
    made, held = got.record[0], DECKING.of(got)
    assert (made["cards"], made["decks"]) == (len(document["card"]), len(document["deck"]))
    assert len(got.ids) == len(held.counts) == made["decks"]
    assert len(got.provenance) == len(numeric_fields(document))
    assert np.isfinite(made["hand_worth"]).all()
    sizes = made["deck_size"][: made["decks"]]
    assert (sizes == held.counts.sum(axis=1)).all()
    assert ((sizes >= 10) & (sizes <= 60)).all()
    assert (made["deck"] < made["cards"]).all()
    for field in ("summon", "transform", "summoned"):
        assert (made[field] < made["cards"]).all()
    for field in ("played", "granted", "aura_ability"):
        assert ((made[field] >= NONE) & (made[field] < ABILITIES)).all()
    assert (made["ability"] >= 0).all()
    assert all(caution.isprintable() for caution in cautions(got))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), 600, assert_sound) > 60


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), 300, tmp_path / "cards.toml") > 0
