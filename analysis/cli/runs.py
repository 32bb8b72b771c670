"""The final report of `fairfight run`, and that of `fairfight check` for a run."""

from __future__ import annotations

from shlex import quote

from analysis.answer.numbers import THIN, count, seats_word
from analysis.data.names import run_word
from analysis.output import terminal
from sim.store import Filled, Run, StoreError

DAMAGE_SHOWN = 3  # damaged files that are named
KILOBYTE, MEGABYTE = 1_000, 1_000_000


def print_filled(run: Run, filled: Filled, elapsed_s: float, as_json: bool) -> None:
    """Print a run and the result of playing its missing games. elapsed_s: time that this took."""
    made, manifest = run.experiment, run.manifest
    if as_json:
        facts = made.facts() | {"keep": manifest.keep, "block_games": manifest.block_games}
        played = {"kept": filled.kept, "played": filled.played, "damaged": list(filled.damaged)}
        terminal.print_json({"facts": facts, "folder": run.folder, **played, "bytes": run.size, "elapsed_s": elapsed_s})
        return
    lines = [
        f"{run.folder}: {count(made.games)} games of {made.game.title}, {seats_word(made.seats)}, policy {made.policy_words}, "
        f"seed {made.seed}; {_size(run.size)} in blocks of {count(manifest.block_games)} games."
    ]
    if filled.damaged:
        many = len(filled.damaged) > 1
        files = f"{count(len(filled.damaged))} damaged files were" if many else "A damaged file was"
        lines.append(f"{files} found and {'their' if many else 'its'} games played again:")
        lines += [f"  {file}" for file in filled.damaged[:DAMAGE_SHOWN]]
        lines += ["  ..."] if len(filled.damaged) > DAMAGE_SHOWN else []
    played_now = (
        f"{count(filled.played)} games played in {elapsed_s:.1f} s ({count(filled.played / max(elapsed_s, 1e-9))} games/s)"
    )
    if not filled.played:
        lines.append("All of them had been played before.")
    else:
        lines.append(f"{played_now}; {count(filled.kept)} had been played before." if filled.kept else f"{played_now}.")
    for line in [*lines, f"Who wins how often: fairfight winrates {quote(run_word(run.folder))}"]:
        terminal.say(line)


def _size(size: int) -> str:
    """Bytes in words."""
    unit, name = (MEGABYTE, "MB") if size >= MEGABYTE else (KILOBYTE, "kB")
    return f"{size / unit:.1f}{THIN}{name}"


def check_run(run: Run, as_json: bool) -> None:
    """Compare all files of a run with their digests and print the result. Raises StoreError, with the damaged files if any."""
    games, damaged = run.check()
    folder, wanted, again = run.folder, run.experiment.games, f"fairfight run {quote(run_word(run.folder))}"
    if as_json:
        terminal.print_json({"facts": run.experiment.facts(), "folder": folder, "sound": games, "damaged": list(damaged)})
    elif damaged:
        more = f"; {count(len(damaged) - DAMAGE_SHOWN)} more" if len(damaged) > DAMAGE_SHOWN else ""
        raise StoreError(f"{folder}: {'; '.join(damaged[:DAMAGE_SHOWN])}{more}; `{again}` plays their games again")
    else:
        rest = "" if games == wanted else f"; `{again}` plays the others"
        title = run.experiment.game.title
        terminal.say(f"{folder}: a valid run of {title}: {count(games)} of {count(wanted)} games exist and are intact{rest}.")
