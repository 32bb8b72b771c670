"""What `fairfight run` says in the end, and `fairfight check` of a run."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote
from typing import Any

from analysis import terminal
from analysis.naming import run_word
from analysis.wording import THIN, count
from sim.store import Filled, Run, StoreError

DAMAGE_SHOWN = 3  # files; of more, the number
KILOBYTE, MEGABYTE = 1_000, 1_000_000


@dataclass(frozen=True)
class Told:
    """A run, what going on with it did, and how long that took."""

    run: Run
    filled: Filled
    elapsed_s: float

    def show(self, as_json: bool) -> None:
        """Print it."""
        if as_json:
            terminal.print_json(self.as_json())
            return
        for line in self.lines():
            terminal.say(line)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        made = self.run.experiment
        return {
            "facts": made.facts() | {"keep": self.run.manifest.keep, "block_games": self.run.manifest.block_games},
            "folder": self.run.folder,
            "kept": self.filled.kept,
            "played": self.filled.played,
            "damaged": list(self.filled.damaged),
            "bytes": self.run.size,
            "elapsed_s": self.elapsed_s,
        }

    def lines(self) -> list[str]:
        """The same for people."""
        run, made, filled = self.run, self.run.experiment, self.filled
        speed = count(filled.played / max(self.elapsed_s, 1e-9))
        seats = "1 seat" if made.seats == 1 else f"{made.seats} seats"
        lines = [
            f"{run.folder}: {count(made.games)} games of {made.game.title}, {seats}, policy {made.policy_words}, seed "
            f"{made.seed}; {_size(run.size)} in blocks of {count(run.manifest.block_games)} games."
        ]
        if filled.damaged:
            many = len(filled.damaged) > 1
            found = f"{count(len(filled.damaged))} damaged files were" if many else "A damaged file was"
            lines.append(f"{found} found and {'their' if many else 'its'} games played again:")
            lines += [f"  {one}" for one in filled.damaged[:DAMAGE_SHOWN]]
            lines += ["  ..."] if len(filled.damaged) > DAMAGE_SHOWN else []
        played = f"{count(filled.played)} games played in {self.elapsed_s:.1f} s ({speed} games/s)"
        if not filled.played:
            lines.append("All of them were there already.")
        else:
            lines.append(f"{played}; {count(filled.kept)} were there already." if filled.kept else f"{played}.")
        lines.append(f"Who wins how often: fairfight winrates {quote(run_word(run.folder))}")
        return lines


def _size(size: int) -> str:
    """Bytes in words."""
    unit, name = (MEGABYTE, "MB") if size >= MEGABYTE else (KILOBYTE, "kB")
    return f"{size / unit:.1f}{THIN}{name}"


@dataclass(frozen=True)
class Checked:
    """A run whose block files were all read and held against their digests."""

    run: Run
    games: int  # that are there and verify
    damaged: tuple[str, ...]

    @classmethod
    def of(cls, run: Run) -> Checked:
        """Check a run. Raises StoreError for a file of another run."""
        games, damaged = run.check()
        return cls(run, games, tuple(damaged))

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "facts": self.run.experiment.facts(),
            "folder": self.run.folder,
            "sound": self.games,
            "damaged": list(self.damaged),
        }

    def line(self) -> str:
        """The same for people. Raises StoreError naming what is damaged."""
        folder, wanted = self.run.folder, self.run.experiment.games
        again = f"fairfight run {quote(run_word(folder))}"
        if self.damaged:
            shown = "; ".join(self.damaged[:DAMAGE_SHOWN])
            more = f"; {count(len(self.damaged) - DAMAGE_SHOWN)} more" if len(self.damaged) > DAMAGE_SHOWN else ""
            raise StoreError(f"{folder}: {shown}{more}; `{again}` plays their games again")
        rest = "" if self.games == wanted else f"; `{again}` plays the others"
        title = self.run.experiment.game.title
        return (
            f"{folder}: a valid run of {title}: {count(self.games)} of {count(wanted)} games are there and sound{rest}."
        )
