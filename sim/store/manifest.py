"""The manifest of a run folder: everything that determines its games, as JSON, and the differences between two runs."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from sim.engine.cardfiles.paths import Table, shown
from sim.engine.cards import CardError, CardSet
from sim.engine.evaluation import FILE_NAME as WEIGHTS
from sim.engine.jit import sources_of
from sim.engine.policies import PolicySpec
from sim.engine.sources import SOURCES, add_sources
from sim.experiments.experiment import GAMES_MAX, AgainstAll, Experiment
from sim.registry import GAMES, game_named
from sim.seeds import SEED_MAX
from sim.store.differences import differences, word
from sim.store.disk import StoreError
from sim.weights import Weights, own_tables, parsed, with_weights

FORMAT = 3  # of run folders; grows when an older fairfight could no longer read them
FIRST = 1  # format of a run without the keys below, so that older versions can read it
# Keys that later formats added, with their values if left out.
LATER: dict[str, Any] = {"forbidden": (), "weights": None}
NAME = "manifest.json"
SIZE_MAX = 4_000_000  # bytes; the largest card sets, with hundreds of decks, have less than one million
BLOCK_MAX = 2**40  # games of a block; more could not be played in a lifetime
LINE_MAX = 500  # characters of a title or a version
SEATS_MOST = 64  # limit for any manifest; the game has its own
LIBRARIES = ("fairfight", "numpy", "numba", "pyarrow")
DECIDING = ("experiments", "run.py")  # code besides engine and games that determines the games
KEEPS = ("rows", "summary")
FORBIDDEN_MOST = 10_000  # forbidden names
FILES_MOST = 1_000_000  # of a run: their names are held in memory
UNDECIDING = {"format", "games", "sources", "title", "versions"}  # keys in which runs of the same games can differ
COUPLINGS = ("seat", "entrant")


@dataclass(frozen=True)
class Manifest:
    """A run folder's manifest. cards: the card file with all decks; line_up, entrant: ids, as a user names them.

    sources: digest of the code that plays the games; versions: of the software that began the run, for information. forbidden:
    names of what players cannot use. weights: those beside the card file, see `sim.weights`; None: those of the game.
    """

    format: int
    game: str
    title: str
    seats: int
    policy: str
    games: int
    seed: int
    coupling: str
    paired: bool
    line_up: tuple[str, ...] | None
    entrant: str | None
    keep: str
    block_games: int
    sources: str
    versions: dict[str, str]
    cards: dict[str, Any]
    forbidden: tuple[str, ...] = ()
    weights: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.games > FILES_MOST * self.block_games:
            raise StoreError(
                f"block_games = {self.block_games}: {self.games:,} games would be more than {FILES_MOST:,} files; use "
                f"blocks of at least {-(-self.games // FILES_MOST):,} games"
            )

    @classmethod
    def of(cls, experiment: Experiment, keep: str, block_games: int) -> Manifest:
        """The manifest of a new run, with the present code and versions."""
        ids = experiment.cards.ids
        weights = own_tables(experiment.game, experiment.cards)
        return cls(
            format=FORMAT if weights or experiment.forbidden else FIRST,
            game=experiment.game_name,
            title=experiment.cards.title,
            seats=experiment.seats,
            policy=experiment.policy_words,
            games=experiment.games,
            seed=experiment.seed,
            coupling=experiment.coupling,
            paired=experiment.paired,
            line_up=None if experiment.line_up is None else tuple(ids[entrant] for entrant in experiment.line_up),
            entrant=ids[experiment.entrant] if isinstance(experiment, AgainstAll) else None,
            keep=keep,
            block_games=block_games,
            sources=sources_digest(experiment.game_name),
            versions={"python": ".".join(map(str, sys.version_info[:3]))} | {name: _version(name) for name in LIBRARIES},
            cards=json.loads(json.dumps(experiment.cards.document, default=str)),
            forbidden=experiment.forbidden,
            weights=weights,
        )

    @property
    def text(self) -> str:
        """The manifest as JSON text."""
        return json.dumps(self._document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    @property
    def _document(self) -> dict[str, Any]:
        """The manifest as a dictionary, without the keys of later formats that have their default value."""
        return {name: value for name, value in asdict(self).items() if name not in LATER or value != LATER[name]}

    @cached_property
    def identity(self) -> str:
        """SHA-256 of everything that `differences` compares; every block file carries it."""
        compared = {name: value for name, value in self._document.items() if name not in UNDECIDING}
        return hashlib.sha256(json.dumps(compared, sort_keys=True).encode()).hexdigest()

    @classmethod
    def parse(cls, text: str | bytes, where: str = NAME) -> Manifest:
        """Read a manifest. where: its name in messages. Raises StoreError for any error in it."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StoreError(f"{where}: is not valid JSON ({error}); the run cannot be read") from None
        try:
            return cls._checked(Table(document if isinstance(document, dict) else {"": document}))
        except ValueError as error:
            raise StoreError(f"{where}: {error}") from None

    @classmethod
    def _checked(cls, table: Table) -> Manifest:
        """Check the values of the table and return the manifest. Raises ValueError."""
        format_number = table.whole("format", 1, 10**6)
        if format_number > FORMAT:
            versions = table.values.get("versions")
            maker = versions.get("fairfight") if isinstance(versions, dict) else None
            version = f" ({shown(maker)})" if maker else ""
            raise table.wrong(
                "format", f"was made by a newer fairfight{version}; this one reads up to {FORMAT}: update it to continue"
            )
        game = table.one_of("game", GAMES)
        ids = table.take("line_up")
        if ids is not None and not (isinstance(ids, list) and all(isinstance(name, str) for name in ids)):
            raise table.wrong("line_up", "must be null or a list of ids")
        if ids is not None and len(ids) > SEATS_MOST:
            raise table.wrong("line_up", f"has {len(ids)} entries; at most {SEATS_MOST} are allowed")
        entrant = table.take("entrant")
        if not isinstance(entrant, str | None):
            raise table.wrong("entrant", "must be null or an id")
        versions = Table(table.take("versions"), "versions")
        forbidden = table.items("forbidden", FORBIDDEN_MOST)
        weights = table.take("weights", None)
        if not all(isinstance(name, str) for name in forbidden):
            raise table.wrong("forbidden", "must be a list of names")
        manifest = cls(
            format=format_number,
            game=game,
            title=_line(table, "title"),
            seats=table.whole("seats", 1, SEATS_MOST),
            policy=_line(table, "policy"),
            games=table.whole("games", 1, 2 * GAMES_MAX),
            seed=table.whole("seed", 0, SEED_MAX),
            coupling=table.one_of("coupling", COUPLINGS),
            paired=table.flag("paired"),
            line_up=None if ids is None else tuple(ids),
            entrant=entrant,
            keep=table.one_of("keep", KEEPS),
            block_games=table.whole("block_games", 1, BLOCK_MAX),
            sources=_line(table, "sources"),
            versions={name: _line(versions, name) for name in versions.values},
            cards=dict(Table(table.take("cards"), "cards").values),
            forbidden=tuple(forbidden),
            weights=None if weights is None else dict(Table(weights, "weights").values),
        )
        table.close()
        return manifest

    def experiment(self) -> Experiment:
        """The experiment whose games the folder holds. Raises StoreError for invalid cards or numbers."""
        try:
            cards = replace(self._card_set(), title=self.title)
            given: dict[str, Any] = {"coupling": self.coupling, "paired": self.paired, "forbidden": self.forbidden}
            if self.line_up is not None:
                given["line_up"] = tuple(_number(name, cards, "line_up") for name in self.line_up)
            policies = tuple(PolicySpec.parse(word) for word in self.policy.split(","))
            players = (self.game, cards, self.seats, policies, self.games, self.seed)
            if self.entrant is not None:
                return AgainstAll(*players, **given, entrant=_number(self.entrant, cards, "entrant"))
            return Experiment(*players, **given)
        except CardError as error:
            lines = (line.removeprefix("document: ") for line in str(error).splitlines())
            raise StoreError(f"{NAME}: cards: {'; '.join(lines)}") from None
        except ValueError as error:
            raise StoreError(f"{NAME}: {error}") from None

    def _card_set(self) -> CardSet:
        """The cards, with the weights of the manifest if it has any. Raises CardError, and ValueError for the weights."""
        game = game_named(self.game)
        cards = game.from_document(self.cards)
        if self.weights is None:
            return cards
        try:
            return with_weights(cards, parsed(game, self.weights, "weights", Weights.of(cards)))
        except CardError as error:
            raise ValueError(str(error)) from None

    def check_sources(self, who: str) -> None:
        """Raise StoreError if the present code is not that which began the run. who: holder of the code, for the message."""
        if self.sources != sources_digest(self.game):
            raise StoreError(
                f"{NAME}: sources = {self.sources[:12]}..., but {who} has {sources_digest(self.game)[:12]}... "
                f"(begun by fairfight {self.versions.get('fairfight', 'of unknown version')}): different code may play different "
                "games. Continue with the fairfight that began the run, or begin a new run in another folder"
            )

    def differences(self, wanted: Manifest) -> Iterator[str]:
        """Describe how the wanted run differs in what determines the games and how they are kept, except for their number."""
        for field in fields(self):
            ours, theirs = getattr(self, field.name), getattr(wanted, field.name)
            if ours == theirs or field.name in UNDECIDING:
                continue
            if field.name in {"cards", "weights"}:
                yield from differences(field.name, ours or {}, theirs or {}) if self.game == wanted.game else ()
            else:
                yield f"{field.name} is {word(ours)}, not {word(theirs)}"


@cache
def sources_digest(game: str) -> str:
    """SHA-256 of the sources and weights that determine a game's results, wherever they are installed."""
    digest = hashlib.sha256()
    outside = (sources_of(game_named(game).state), game_named(game).reference.resolve().parent)
    roots = [SOURCES / "engine", SOURCES / "games", *(root for root in outside if not root.is_relative_to(SOURCES))]
    for root in dict.fromkeys(roots):
        add_sources(digest, root)
        for weights in sorted(root.rglob(WEIGHTS)):
            digest.update(weights.relative_to(root).as_posix().encode() + b"\0" + weights.read_bytes() + b"\0")
    for name in DECIDING:
        for file in sorted((SOURCES / name).glob("*.py")) or [SOURCES / name]:
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def _line(table: Table, key: str) -> str:
    """A text for titles and messages. Raises ValueError unless it is one printable line."""
    text = table.text(key)
    if not text.isprintable() or len(text) > LINE_MAX:
        raise table.wrong(key, f"must be at most {LINE_MAX} characters on one line, without control characters")
    return text


def _number(name: str, cards: CardSet, field: str) -> int:
    """Number of the entrant of this id. Raises ValueError."""
    if name not in cards.ids:
        raise ValueError(f"{field} = {shown(name)}: there is no such id in the cards")
    return cards.ids.index(name)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"


def manifest_path(folder: Path) -> Path:
    """Path of a run folder's manifest."""
    return folder / NAME
