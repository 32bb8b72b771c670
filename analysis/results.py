"""What the Python interface takes: `Cards` and `Games`, and how Jupyter shows them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer.cards import sources
from analysis.answer.notebook import ROWS_SHOWN
from analysis.answer.numbers import count, seats_word
from analysis.data.card_text import own_weights, text_of, text_with, write_changed
from analysis.data.players import player_words
from analysis.data.rows import results, seats_frame
from analysis.variants.variant import Edit, canonical, present, recompiled, with_value
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.run import Block, GameSource, blocks, reading_from
from sim.weights import remade


@dataclass(frozen=True, eq=False, repr=False)
class Cards:
    """The cards of a game: all numbers and texts of a card file. Never changes; `set` returns a changed copy.

    game: the rules; card_set: the compiled cards; edits: changes since `origin` was loaded.
    """

    game: Game
    card_set: CardSet
    edits: tuple[Edit, ...] = ()
    origin: CardSet | None = None

    @property
    def title(self) -> str:
        """Title of the card set."""
        return self.card_set.title

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the entrants, in the order of the card file."""
        return self.card_set.ids

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entrants, in the order of `ids`."""
        return self.card_set.names

    @property
    def document(self) -> Mapping[str, Any]:
        """The card file as read; to be copied, not changed."""
        return self.card_set.document

    @property
    def summary(self) -> str:
        """Title, number of entrants, and where the numbers come from."""
        changed = f" Changed: {'; '.join(map(str, self.edits))}." if self.edits else ""
        numbers = f"{count(len(self.card_set.provenance))} numbers ({sources(self.card_set)})"
        return f"{self.title}: {count(len(self.ids))} {self.game.entrants_word}, {numbers}.{changed}"

    @property
    def frame(self) -> pd.DataFrame:
        """Every number of the card file: columns field, value, source."""
        rows = [{"field": item.path, "value": item.value, "source": item.source} for item in self.card_set.provenance]
        return pd.DataFrame(rows, columns=["field", "value", "source"])

    def get(self, field: str) -> Any:
        """Return the value of a field of the card file, or of a rule that it leaves to its default.

        Raises ValueError for a field that does not exist, with the nearest names.

        Examples
        --------
        >>> import fairfight as ff
        >>> ff.load("arena").get("hero.rhino_guy.move")
        2

        """
        return present(self.card_set, field)

    def set(self, field: str, value: Any) -> Cards:
        """Return a copy with another value of one field. See `update`."""
        return self.update({field: value})

    def update(self, changes: Mapping[str, Any]) -> Cards:
        """Return a copy with other values of some fields.

        Parameters
        ----------
        changes : mapping
            Field of the card file, such as ``hero.rhino_guy.move``, to its new value: a number, a text, or a list or table as
            it would stand in the file.

        Raises
        ------
        ValueError
            For a field that does not exist, and for a value that the rules of the card file refuse.

        Examples
        --------
        >>> import fairfight as ff
        >>> arena = ff.load("arena")
        >>> changed = arena.update({"hero.rhino_guy.move": 3, "hero.mirror_mage.move": 4})
        >>> print(changed.edits[0])
        hero.rhino_guy.move: 2 to 3
        >>> arena.set("hero.rhino_guy.speed", 2)
        Traceback (most recent call last):
        ...
        sim.engine.cardfiles.paths.CardError: "hero.rhino_guy.speed": there is no such field in the card file; ...

        """
        if not isinstance(changes, Mapping) or not all(isinstance(field_, str) for field_ in changes):
            raise ValueError(f"changes={changes!r} must name fields and their new values, such as {{'hero.rhino_guy.move': 3}}")
        edits = {edit.path: edit for edit in self.edits}
        so_far = self.card_set
        for field_, value in changes.items():
            plain = value.item() if hasattr(value, "item") else value
            before, path = present(so_far, field_), canonical(so_far, field_)
            edits[path] = Edit(path, edits[path].before if path in edits else before, plain)
            so_far = replace(so_far, document=with_value(so_far, path, plain))
        made = recompiled(self.game, so_far.document, self.card_set)
        return Cards(self.game, made, tuple(edits.values()), self.origin or self.card_set)

    def with_document(self, document: Mapping[str, Any]) -> Cards:
        """Return the cards of another document, made from a copy of `document`; for changes that are not one field.

        Raises ValueError for anything that the rules of the card file refuse.
        """
        return Cards(self.game, remade(self.game, document, self.card_set))

    def save(self, folder: str | Path, force: bool = False) -> Path:
        """Write `cards.toml` to a folder, which every command and `load` accept; returns the file.

        The text of the original file, with its comments, is kept where only whole numbers differ. The cards' own weights, if
        they have any, are written beside it. force: overwrite an existing file. Raises ValueError if the folder has a card file,
        or cannot be written.
        """
        original = self.origin or self.card_set
        template = text_of(self.game, original) if original.path.exists() else None
        text = text_with(self.game, self.document, template)
        return write_changed(text, Path(folder), {}, force, own_weights(self.game, self.card_set))

    def __repr__(self) -> str:
        """Return the summary."""
        return f"Cards({self.summary})"

    def _repr_html_(self) -> str:
        """Return the summary and the first numbers for Jupyter."""
        rows = self.frame.head(ROWS_SHOWN).to_html(index=False, border=0)
        return f"<p><strong>{html.escape(self.summary)}</strong></p>\n{rows}"


@dataclass(frozen=True, eq=False, repr=False)
class Games:
    """Games already played: from `play`, or a run folder opened with `open_run`. Functions take them in place of cards.

    experiment: what was played, as far as it is there; source: where its games are read from.
    """

    experiment: Experiment
    source: GameSource = field(repr=False)

    @cached_property
    def cards(self) -> Cards:
        """The cards that were played."""
        return Cards(self.experiment.game, self.experiment.cards)

    def check_rows(self) -> None:
        """Raise ValueError if only sums over the games are kept."""
        if not getattr(self.source, "has_rows", True):
            folder = getattr(self.source, "folder", "")
            raise ValueError(f"{folder}: keeps only sums of its games (keep=summary); `fairfight winrates {folder}` reads them")

    @property
    def summary(self) -> str:
        """What was played, in one sentence."""
        made = self.experiment
        return (
            f"{made.cards.title}: {count(made.games_wanted)} games at {seats_word(made.seats)}, seed {made.seed}, "
            f"{player_words(made.game, made.policies, exact=True)}; line-ups: {made.design}."
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per game: game, seats, first, turns, decisions, finished, share_0, share_1, ... and facts of the game.

        first: the seat that moved first, -1 if there is none. share: of the win, by seat. `legend` explains the facts.
        """
        with reading(self, asks=True):
            measures = self.experiment.game.measures_for(self.experiment.cards)
            frame: pd.DataFrame = results(self.experiment, blocks, measures).drop(columns="dice")
        return frame

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row per game and seat: game, seat, position, entrant, name, share, won, finished, turns and facts of the seat.

        position: 0 moved first, -1 if there is no order; entrant, name: id and name; share: of the win. `legend` explains the
        facts.
        """
        measures, names = self.experiment.game.measures_for(self.experiment.cards), self.experiment.cards.names
        with reading(self, asks=True):
            parts = [seats_frame(block.rows, block.outcomes, measures, names) for block in blocks(self.experiment)]
        seats = pd.concat(parts, ignore_index=True)
        return seats.assign(entrant=np.array(self.experiment.cards.ids, object)[seats["entrant"]])

    @property
    def legend(self) -> pd.DataFrame:
        """The facts in `frame` and `seats`: columns column, meaning, unit, part, per (game or seat)."""
        rows = []
        for measure in self.experiment.game.measures_for(self.experiment.cards):
            line = {"meaning": measure.label, "unit": measure.unit, "per": measure.per}
            columns = {f"{measure.field}_{part}": name for part, name in enumerate(measure.parts)} or {measure.field: ""}
            rows += [{"column": column, "part": part, **line} for column, part in columns.items()]
        return pd.DataFrame(rows, columns=["column", "meaning", "unit", "part", "per"])

    def __repr__(self) -> str:
        """Return the summary."""
        return f"Games({self.summary})"


@dataclass(frozen=True, eq=False)
class Held:
    """Games held in memory, as a source of games."""

    experiment: Experiment
    held: tuple[Block, ...]

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """Blocks of this experiment; None for another one."""
        return (
            self._cut(experiment.games)
            if replace(experiment, games_wanted=1) == replace(self.experiment, games_wanted=1)
            else None
        )

    def sums(self, _: Experiment) -> None:
        """No sums are held."""

    def _cut(self, games: int) -> Iterator[Block]:
        for block in self.held:
            if (left := games - block.first) > 0:
                yield replace(block, rows=block.rows[:left], outcomes=block.outcomes[:left])


@contextmanager
def reading(source: object, asks: bool = False) -> Iterator[None]:
    """Context in which games already played are read instead of played.

    asks: the question is about these games. Games of a run that other code has played are read only for such a question, and
    never compared with games played now.
    """
    if isinstance(source, Games):
        source.check_rows()
    if isinstance(source, Games) and (asks or not getattr(source.source, "has_other_sources", False)):
        with reading_from(source.source):
            yield
    else:
        yield
