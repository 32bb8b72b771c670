"""Read files that would fill the memory or keep a reader busy for hours, in a process with little memory.

python -m tests.safety.heavy [GROUP...]

prints a line of JSON for each file of these groups (default: all of GROUPS): name, seconds of processor time, and the reader's
message.
"""

import hashlib
import io
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.data.decks import DeckChoice
from analysis.dice.language import read as read_dice
from analysis.report.write import _read_entry
from analysis.tuning.goal import read_target
from sim.engine import scenario
from sim.engine.cards import game_of
from sim.registry import GAMES
from sim.store import Run
from sim.store.manifest import NAME
from tests.safety.form import TINY, tiny_games
from tests.safety.formats import deck_file
from tests.safety.hostile import card_file
from tests.safety.pagebomb import with_bomb
from tests.safety.runs import BLOCK_GAMES, counted, filled

MEMORY = 700_000_000  # bytes in addition to those in use once everything is loaded
GIGABYTE = 2**30
DEEPER = ("[\n{" + "a." * 98 + "a=", "}]")  # a hundred levels in two lines
Reader = Callable[[Path], Any]


def written(folder: Path, content: str | bytes, name: str = "input.toml") -> Path:
    """Write a file."""
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def sparse(folder: Path, name: str = "input.toml", size: int = GIGABYTE) -> Path:
    """Make a file of zeros that takes no space on the disk."""
    file = folder / name
    with file.open("wb") as stream:
        stream.truncate(size)
    return file


def deep(levels: int = 50) -> str:
    """A value deeply nested in lists and tables."""
    before, behind = DEEPER
    return before * levels + "1" + behind * levels


def decks(lists: int, cards: int) -> str:
    """A deck file with cards that do not exist."""
    return "".join(
        f'[[deck]]\nid = "d{at}"\nsource = "assumed"\n[deck.cards]\n' + "".join(f"antt{card} = 1\n" for card in range(cards))
        for at in range(lists)
    )


def documents(folder: Path) -> Iterator[tuple[str, Path, Reader]]:
    """Name, file and reader of documents with too many parts."""
    for name, content, read in contents():
        yield name, written(folder, content), read


def contents() -> Iterator[tuple[str, str, Reader]]:
    """Name, content and reader of documents."""
    game, race = GAMES["coin_duel"], GAMES["deck_race"]
    text = card_file()
    large = next(game for name, game in GAMES.items() if game.decks and name not in TINY)
    cards = large.load(None)

    def played(file: Path) -> Any:
        return scenario.run(file, GAMES)

    def chosen(file: Path) -> Any:
        return DeckChoice(file, only=True).played(race, race.load(None))

    many = ",\n".join(f'"no{at}*{"a*" * 20}"' for at in range(200))
    scene = 'game = "coin_duel"\n[position]\n'
    yield "cards: deep", f"{text}\n[more]\na = {deep()}\n", game.load
    yield "cards: long line", f'{text}\nmore = "{"x" * 900_000}"\n', game.load
    yield "cards: patterns", text.replace("format = 1\n", f"format = 1\nfixed = [{many}]\n", 1), game.load
    yield "cards: many fighters", text + "[[fighter]]\n" * 80_000, game.load
    yield "cards: many keys", text + "".join(f"k{at} = 1\n" for at in range(90_000)), game.load
    yield "cards: giant numbers", text.replace("faces = 4", "faces = 0x" + "f" * 3_900, 1), game.load
    yield "cards: no game", "[[a]]\n[[a.b]]\n[[a.b.c]]\n" * 35_000, game_of
    yield "decks: many", decks(600, 1), chosen
    yield "decks: many unknown cards", decks(500, 80), chosen
    yield (
        "decks: many unknown cards of a large game",
        decks(500, 80),
        lambda file: DeckChoice(file, only=True).played(large, cards),
    )
    yield "decks: deep", f'[[deck]]\nid = "a"\ncards = {deep()}\n', chosen
    yield "scenario: deep change", f'{scene}[change]\n"rules.goal" = {deep()}\n', played
    yield "scenario: deep position", f"{scene}fighters = {deep()}\n", played
    yield "scenario: many dice", "dice = [" + "6,\n" * 200_000 + "]\n" + scene, played
    yield "scenario: many decisions", "do = [" + '"hold",\n' * 90_000 + "]\n" + scene, played
    yield "target: deep", f"[matchup.a]\nb = {deep()}\n", read_target
    yield "target: many", "[matchup.a]\n" + "".join(f"b{at} = 2\n" for at in range(80_000)), read_target


def longest(folder: Path) -> Iterator[tuple[str, Path, Reader]]:
    """Name, file and reader of files that are far too long, and of dice expressions."""
    readers = {"cards": GAMES["coin_duel"].load, "decks": DeckChoice, "scenario": scenario.load}
    readers["decks"] = lambda file: DeckChoice(file, only=True).played(GAMES["deck_race"], GAMES["deck_race"].load(None))
    for name, read in {**readers, "target": read_target}.items():
        yield f"{name}: a gigabyte", sparse(folder), read
    for name, text in (("long", "1+" * 10**6), ("deep", "(" * 10**6), ("large", "99999999d99999999")):
        yield f"dice: {name}", written(folder, text), lambda file: read_dice(file.read_text(encoding="utf-8"))
    for name, place in (("a gigabyte", sparse(folder, "report.json")), ("deep", written(folder, "[" * 10**6, "deep.json"))):
        yield f"report: {name}", place, _read_entry


def manifests(folder: Path) -> Iterator[tuple[str, Path, Reader]]:
    """Name, run folder and reader of runs with a malicious manifest."""
    run = filled(folder / "manifests").folder
    good = json.loads((run / NAME).read_text(encoding="utf-8"))
    words = {f"antt{at}": at for at in range(150_000)}
    spoiled: dict[str, Any] = {
        "as many blocks as can be": good | {"games": 2**44, "block_games": 3},
        "one block of everything": good | {"games": 2**44, "block_games": 2**40 // 3 * 3},
        "many keys": good | {"cards": good["cards"] | words},
        "long policy": good | {"policy": "random," * 500_000},
        "long title": good | {"title": "x" * 3_000_000},
        "long line-up": good | {"line_up": ["pike"] * 300_000},
    }
    for name, told in spoiled.items():
        written(run, json.dumps(told), NAME)
        yield f"manifest: {name}", run, Run.open
    written(run, "[" * 3_000_000, NAME)
    yield "manifest: deep", run, Run.open
    written(run, "[" + "[]," * 1_200_000 + "[]]", NAME)
    yield "manifest: many lists", run, Run.open
    sparse(run, NAME)
    yield "manifest: a gigabyte", run, Run.open


def blocks(folder: Path) -> Iterator[tuple[str, Path, Reader]]:
    """Name, run folder and reader of runs with a malicious block."""
    for keep in ("rows", "summary"):
        run = filled(folder / keep, keep).folder
        file = min((run / "blocks").iterdir())
        content = file.read_bytes()
        file.unlink()
        for name, bad in (("page of two gigabytes", with_bomb(content)), *bombs(content, keep)):
            put(file, bad)
            yield f"{keep}: {name}", run, counted
            for one in (run / "blocks").glob(f"{file.name[:14]}-*"):
                one.unlink()
        sparse(run / "blocks", f"{0:014d}-{BLOCK_GAMES}-{'0' * 16}.parquet", 8 * GIGABYTE)
        yield f"{keep}: eight gigabytes", run, counted
        sparse(run / "blocks", f"{0:014d}-99999999999999-{'0' * 16}.parquet", 8 * GIGABYTE)
        (run / "blocks" / f"{0:014d}-{BLOCK_GAMES}-{'0' * 16}.parquet").unlink()
        yield f"{keep}: a name with too many games", run, refused_or_played


def refused_or_played(folder: Path) -> Any:
    """Count the games of a run, skipping a file that cannot belong to it."""
    counted(folder)
    raise ValueError(f"{folder}: counted, the file skipped")


def put(file: Path, content: bytes) -> None:
    """Write a block file in place of another, named by the digest of its content."""
    name = f"{file.name.rpartition('-')[0]}-{hashlib.sha256(content).hexdigest()[:16]}.parquet"
    written(file.parent, content, name)


def bombs(content: bytes, keep: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of block files with correct metadata that are far too large."""
    labels = dict(pq.ParquetFile(io.BytesIO(content)).metadata.metadata)
    zeros = np.zeros(12_000_000)
    yield "many lines", file_of({"value": zeros}, labels)
    yield "many columns", file_of({f"v{at}": zeros[:10] for at in range(3_000)}, labels)
    if keep == "summary":
        yield "wide", file_of({f"v{at}": zeros for at in range(12)}, labels)
        words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(200_000, np.int32)), pa.array(["x" * 500_000]))
        yield "long texts", file_of({"quantity": words, "value": zeros[:200_000]}, labels)
        yield "long texts, each written out", file_of({"quantity": pa.array(["x" * 9_000] * 1_000)}, labels, plain=True)
        optional, required = b"%\x02\x18\x06axis_2", b"%\x00\x18\x06axis_2"
        assert content.count(optional) == 1
        yield ("counts of missing values where none can be", content.replace(optional, required))  # crashes some readers
        yield "many groups", file_of({"value": zeros[:3_000]}, labels, row_group_size=1)


def file_of(columns: dict[str, Any], labels: dict[bytes, bytes], plain: bool = False, **written: Any) -> bytes:
    """Columns as a Parquet file."""
    stream = io.BytesIO()
    table = pa.table(columns)
    options: dict[str, Any] = {"compression": "zstd", "store_schema": False, "write_statistics": False}
    kept = [name for name, kind in zip(table.column_names, table.schema.types, strict=True) if pa.types.is_dictionary(kind)]
    with pq.ParquetWriter(stream, table.schema, use_dictionary=[] if plain else kept, **options) as writer:
        writer.write_table(table, **written)
        writer.add_key_value_metadata(labels)
    return stream.getvalue()


def tell(name: str, place: Path, read: Reader) -> None:
    """Read one input and print the result."""
    began = time.process_time()
    try:
        found = read(place)
        said = "passed over" if found is None else f"accepted: {found!r:.80}"
    except ValueError as error:
        said = str(error)
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    line = {"name": name, "seconds": time.process_time() - began, "said": said[:300], "where": str(place)}
    print(json.dumps(line), flush=True)  # noqa: T201


def limit() -> None:
    """Limit the memory of this process to MEMORY more than it uses now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


GROUPS = {"longest": longest, "documents": documents, "manifests": manifests, "blocks": blocks}


def main(names: list[str]) -> None:
    """Make and read the files of these groups."""
    with tiny_games(), TemporaryDirectory() as place:
        folder = Path(place)
        counted(filled(folder / "first").folder)
        counted(filled(folder / "second", "summary").folder)  # now everything is loaded
        deck_file(GAMES["deck_race"])
        limit()
        for name in names or GROUPS:
            for file in GROUPS[name](folder):
                tell(*file)


if __name__ == "__main__":
    main(sys.argv[1:])
