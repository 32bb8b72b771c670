"""Card files of Runeslingers damaged in some 700 ways: compiled, or refused with the path of the field; nothing else."""

from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, numeric_fields
from sim.games.runeslingers.cards import REFERENCE, cautions, from_document, load
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.record import EFFECTS_MAX, STATICS_MAX, TRIGGERS_MAX
from tests.games.runeslingers.card_words import ability_text, ailment_text, card_text, inherent_text, stance_text
from tests.games.spoiling import Reader, Spoiling

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 13, 41, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "spirit", "boon", "chant", "choose", "same", "self", "any", "enemy", "each", "leaves", "owned"),
    *("pierce", "use", "token", "choice", "burn", "curse", "max_hand", "no_heal", "romin", "kindle", "X", "Bolt X"),
    *("a\nb", "x" * 200, "é", "rulebook"),
    *([], [1], ["use"], ["pierce", "shout"], ["choice"], ["token"], [0] * 20, [[0]], {}),
    *({"op": "draw", "n": 1}, [{"op": "release"}], [{"op": "trap", "to": "card"}]),
    *([[{"op": "draw", "n": 1}], [{"op": "light", "n": 1}]], [{"stat": "no_pass"}], {"discard": 2}, {"fireball": 2}),
    *([{"when": "leaves", "effects": [{"op": "release"}]}], [{"effects": [{"op": "draw", "n": 1}]}], {"id": "x"}),
]
KEYS = [
    *(
        "cost",
        "defence",
        "x",
        "rarity",
        "keywords",
        "tokens",
        "extra_cost",
        "effects",
        "bullets",
        "statics",
        "triggers",
    ),
    *(
        "activated",
        "op",
        "n",
        "to",
        "hit",
        "per",
        "direct",
        "ailment",
        "distinct",
        "into",
        "stat",
        "scope",
        "if",
        "when",
    ),
    *("light", "use", "per_turn", "class", "health", "inherent", "determination", "threshold", "level2", "on_apply"),
    *("source", "name", "mode", "fireball", "cots", "a b", "", "é.x"),
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
    assert np.isfinite(made["rating"]).all()
    sizes = made["deck_size"][: made["decks"]]
    assert (sizes == held.counts.sum(axis=1)).all()
    assert ((sizes >= 20) & (sizes <= 40)).all()
    assert (made["deck"] < made["cards"]).all()
    for field in ("effects", "bullet", "hit", "then", "act_effects", "on_apply", "inherent", "ability_effects"):
        assert ((made[field] >= 0) & (made[field] < EFFECTS_MAX)).all()
    for field in ("statics", "stance_statics", "per_instance", "while_any", "level2"):
        assert ((made[field] >= 0) & (made[field] < STATICS_MAX)).all()
    assert ((made["triggers"] >= 0) & (made["triggers"] < TRIGGERS_MAX)).all()
    for table, words in (("card", card_text), ("stance", stance_text), ("ability", ability_text)):
        assert all(words(one).isprintable() for one in document[table])
    assert all(inherent_text(one) for one in document["runeslinger"])
    assert all(ailment_text(one) for one in document["ailment"])
    assert all(caution.isprintable() for caution in cautions(got))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), 500, assert_sound) > 40


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), 200, tmp_path / "cards.toml") > 0
