"""Card sets as spreadsheets, for fuzzing: a CSV file, and the parts of an .xlsx file."""

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from analysis.cardsheets.reading import loaded_set
from analysis.output.spreadsheets import write_csv, write_xlsx
from sim.engine.cards import CardSet
from sim.registry import GAMES
from tests.safety.form import TINY, Format, written
from tests.safety.mutations import spoiled

SHEET = "fighter.csv"


class Parts:
    """Spoils one part of an .xlsx file, which stays a valid archive."""

    def spoiler(self, chance: Random) -> Callable[[bytes], bytes]:
        """Return a function that spoils a part; it returns malformed archives unchanged."""

        def spoil(content: bytes) -> bytes:
            try:
                with zipfile.ZipFile(io.BytesIO(content)) as archive:
                    parts = {name: archive.read(name) for name in archive.namelist()}
            except (zipfile.BadZipFile, zipfile.LargeZipFile, ValueError, OSError, EOFError, NotImplementedError, zlib.error):
                return content
            sheets = [name for name in parts if "sheet" in name]
            name = chance.choice([*parts, *sheets, *sheets])
            return archived(parts | {name: spoiled(parts[name], [*parts.values()], chance, None)})

        return spoil


def archived(parts: dict[str, bytes]) -> bytes:
    """Return an archive of parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def read(place: Path) -> CardSet:
    """Read the card set of a spreadsheet."""
    return loaded_set(GAMES[TINY[0]], place)


def workbooks(use: Callable[[CardSet], object]) -> Format:
    """Spreadsheets as .xlsx files."""
    game = GAMES[TINY[0]]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cards.xlsx"
        write_xlsx(file, game, game.load(None))
        content = file.read_bytes()

    def place(folder: Path, spoiled_content: bytes) -> Path:
        return written(folder, spoiled_content, "input.xlsx")

    return Format("sheets:xlsx", (content,), read, use, Parts(), place, where=lambda file: (f"{file}: ",))


def csv_folders(use: Callable[[CardSet], object]) -> Format:
    """Spreadsheets as folders of CSV files, of which one is spoiled."""
    game = GAMES[TINY[0]]

    def prepare(folder: Path) -> None:
        write_csv(folder / "sheets", game, game.load(None))

    def place(folder: Path, content: bytes) -> Path:
        return written(folder / "sheets", content, SHEET).parent

    with TemporaryDirectory() as folder:
        prepare(Path(folder))
        content = (Path(folder) / "sheets" / SHEET).read_bytes()
    return Format("sheets:csv", (content,), read, use, None, place, prepare, lambda folder: (str(folder),))
