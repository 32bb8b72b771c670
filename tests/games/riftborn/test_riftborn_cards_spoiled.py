"""Card files of Riftborn Tactics damaged in some 900 ways: compiled, or refused with the path of the field; nothing else."""

import copy
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings

from sim.engine.cards import CardError, CardSet, numeric_fields, read_document
from sim.games.riftborn.cards import REFERENCE, cautions, from_document, load
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.record import ABILITIES, NONE
from tests.games.spoiling import Spoiling

LINE = re.compile(
    r'^cards\.toml: ([\w-]|"[^"]*")+([\w.\[\]-]|"[^"]*")*( = .+)?: [^:]+(: [^:]+)?$|^cards\.toml: and \d+ more problems$'
)
SECONDS = 2.0  # far above the 30 milliseconds it takes: says "does not hang"
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

_DOCUMENT = read_document(None, REFERENCE)[0]
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def outcome(source: dict[str, Any] | Path) -> CardSet | list[str]:
    """The card set of a document or file, or the lines of the refusal; either within the time."""
    started = time.perf_counter()
    try:
        return load(source) if isinstance(source, Path) else from_document(source, "cards.toml")
    except CardError as error:
        return str(error).splitlines()
    finally:
        assert time.perf_counter() - started < SECONDS


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
    compiled = []

    @settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(mutations())
    def check(document):
        before = copy.deepcopy(document)
        got = outcome(document)
        if isinstance(got, CardSet):
            compiled.append(got)
            assert_sound(got, document)
        else:
            assert got
            assert [line for line in got if not LINE.match(line) or not line.isprintable()] == []
        assert repr(document) == repr(before)

    check()
    assert len(compiled) > 60


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(content=mutated_files())
def test_a_spoiled_file_is_compiled_or_refused_with_its_name(content, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "cards.toml"
    file.write_bytes(content)
    got = outcome(file)
    if isinstance(got, CardSet):
        assert got.record.shape == (1,)
    else:
        assert [line for line in got if not line.startswith(f"{file}: ") or not line.isprintable()] == []
