"""Repeat commands over many seeds and compare the spread of their estimates with the width of their intervals.

`make soak` runs every command of COMMANDS below and writes the results to the table of docs/statistics.md:

    python -m tests.soak.soak [--seeds 100] [NAME ...]

A command is read through its --json output. In every row of a table, and in the facts, "x_low" and "x_high" are the interval of
"x", and "low" and "high" that of "estimate" or of another column of ESTIMATES. So new intervals of a command are measured
without a change here. Over the seeds

- ratio: standard deviation of an estimate over its mean reported standard error (a quarter of the width at 95 %); 1 is right,
  above 1, intervals are too narrow;
- coverage: share of the intervals that contain the truth: the result of the long command if there is one, else the mean over the
  seeds.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from typer.testing import CliRunner

ROOT = Path(__file__).parents[2]
PAGE, ARENA = ROOT / "docs" / "statistics.md", ROOT / "sim" / "games" / "arena" / "cards.toml"
START, END = "<!-- soak -->", "<!-- end of soak -->"
HEAD = ("command", "interval of", "games", "seeds", "intervals", "ratio", "coverage")
ESTIMATES = (  # "low" and "high" are the interval of the first of these columns that a row has
    *("estimate", "change", "worth", "share", "rating", "turns", "tau", "log_loss", "steps"),
)
WORDS = (  # columns whose text identifies a row
    *("name", "opponent_name", "card_name", "path", "level", "first", "second", "below", "ending", "evaluation", "line"),
)
PLACES = (  # columns whose number identifies a row, unless it has an interval itself
    *("seat", "position", "step", "turn", "turns", "quantile", "start", "end", "at", "x"),
)
QUANTITY = "what"  # column with the name of the quantity, in a table of several
LEAST = 0.9  # of the seeds; a line that is in fewer is left out
WIDTH = 2 * stats.norm.ppf(0.975)  # standard errors between the bounds at 95 %


@dataclass(frozen=True)
class Command:
    """A command whose intervals are measured.

    words: without --seed and --json; leave: tables, columns or labels of rows that are not measured; long: the same with enough
    games that its estimates are the truth. turn_cap: of the Arena's card file instead of 400; {cards} in words is the folder
    with it. same: table that must be equal, because others depend on it; only the seeds with the most frequent one count.
    """

    name: str
    words: str
    leave: tuple[str, ...] = ()
    long: str = ""
    turn_cap: int = 0
    same: str = ""

    @property
    def games(self) -> str:
        """Games of each seed, as the table shows them."""
        found = re.search(r"--(?:round-)?games (\d+)", self.words)
        return f"{int(found[1]):,}" if found else "as many as it takes"


RANDOM = "--policy random --jobs 1"
COMMANDS = (
    Command("win rates, 2 seats", f"winrates arena --games 560 {RANDOM}"),
    Command("win rates, 4 seats", f"winrates arena --games 560 --seats 4 {RANDOM}"),
    Command("win rates, pairs of games", f"winrates arena --games 560 --paired {RANDOM}"),
    Command("win rates, pairs of games, 4 seats", f"winrates arena --games 1120 --seats 4 --paired {RANDOM}"),
    Command("win rates, policies differ", "winrates arena --games 560 --policy greedy:1,random --jobs 1"),
    Command("win rates, policies differ, pairs", "winrates arena --games 560 --paired --policy greedy:1,random --jobs 1"),
    Command("win rates, stopped games", f"winrates arena --cards {{cards}} --games 560 {RANDOM}", turn_cap=60),
    Command("win rates, parts of squads", f"winrates rookling --games 600 {RANDOM}", ("win_rates", "win_rates_by_seat")),
    Command("matchups", f"matchups arena --games 560 {RANDOM}", ("equilibrium", "rating")),  # elo is the same
    Command(
        "equilibrium", f"matchups arena --games 560 {RANDOM}", ("pairs", "ratings"), f"matchups arena --games 100000 {RANDOM}"
    ),
    Command("seats", f"seats arena --games 560 {RANDOM}"),
    Command("what if", f"whatif arena --set hero.rhino_guy.move=3 --games 560 {RANDOM}"),
    Command("ablate", f"ablate arena hero.rhino_guy.charge --games 560 {RANDOM}"),
    Command("compare", f"compare arena rhino_guy mirror_mage --margin 5 --games 2000 {RANDOM}"),
    Command("sensitivity", f"sensitivity arena --fields hero.rhino_guy.move --games 1680 {RANDOM}"),
    Command("card statistics", f"cardstats riftborn --games 400 {RANDOM}"),
    Command("card statistics, Runeslingers", f"cardstats runeslingers --games 400 {RANDOM}"),
    Command(
        "card statistics, pooled, Runeslingers", f"cardstats runeslingers --games 1600 --pairs 0 {RANDOM}", ("cards", "turns")
    ),
    Command("skill", "skill arena --levels random,greedy:1 --games 840 --jobs 1", ("ratings",)),  # half of elo_span each
    Command("pace, random players, 200 games", f"pace arena --games 200 {RANDOM}"),
    Command("pace, random players, 400 games", f"pace arena --games 400 {RANDOM}"),
    Command("pace, greedy:4, 400 games", "pace arena --games 400 --policy greedy:4 --jobs 1"),
    Command(
        "training scores",
        f"train arena --seats 2 --round-games 400 --rounds 1 {RANDOM}",
        ("reliability", "matches", "fitted"),  # of the weights, which differ between seeds
    ),
    Command(
        "tune, re-test",
        f"tune arena --band 40:60 --fields hero.dragon_hatcher.move --max-changes 1 --games 8000 {RANDOM}",
        ("goal", "aims", "trade_off"),  # the first two hold what was asked for, not intervals
        same="changes",
    ),
)


def output(command: str, seed: int) -> dict[str, Any]:
    """The JSON output of a command. Raises RuntimeError with its message if it fails."""
    from analysis.cli.main import app  # noqa: PLC0415 - the list of commands is read without it

    done = CliRunner().invoke(app, [*shlex.split(command), "--seed", str(seed), "--json"])
    if done.exit_code:
        raise RuntimeError(f"{command} --seed {seed}: exit code {done.exit_code}: {done.stderr.strip()}") from done.exception
    return dict(json.loads(done.stdout))


def intervals(found: dict[str, Any], leave: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Every interval of an output: of (table and quantity), line (labels of its row), estimate, low, high."""
    for table, lines in _tables(found).items():
        for line in lines if table not in leave else []:
            yield from _of_line(table, line, leave)


def _tables(found: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Tables of an output by their ids. The facts are a table of one row, and so is each group of facts."""
    facts = found["facts"]
    groups = {name: [value] for name, value in facts.items() if isinstance(value, dict)}
    return {"facts": [facts]} | groups | {table: lines for table, lines in found.items() if isinstance(lines, list)}


def _of_line(table: str, line: dict[str, Any], leave: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    pairs = [(low, f"{low.removesuffix('low')}high") for low in line if low == "low" or low.endswith("_low")]
    bounds = {_estimate(table, line, low): (low, high) for low, high in pairs if high in line}
    labels = [line[column] for column in WORDS if isinstance(line.get(column), str)]
    labels += [str(line[column]) for column in PLACES if column in line and column not in bounds]
    if set(labels) & set(leave):
        return
    for estimate, (low, high) in bounds.items():
        values = [line[column] for column in (estimate, low, high)]
        if estimate not in leave and None not in values:
            row = dict(zip(("estimate", "low", "high"), map(float, values), strict=True))
            yield {"of": f"{table.replace('_', ' ')}: {line.get(QUANTITY, estimate)}", "line": " / ".join(labels)} | row


def _estimate(table: str, line: dict[str, Any], low: str) -> str:
    """The column that an interval is of. Raises ValueError if none is."""
    for column in ESTIMATES if low == "low" else (low.removesuffix("_low"),):
        if column in line:
            return column
    raise ValueError(f"{table}: no column is known to have the bound {low!r}; add it to ESTIMATES or leave the table out")


def measure(command: Command, seeds: int) -> pd.DataFrame:
    """Repeat a command: one line per interval of it, with columns of, seeds, intervals (lines), ratio, coverage."""
    with tempfile.TemporaryDirectory() as folder:
        if command.turn_cap:
            cards = re.sub(r"(?m)^turn_cap = \d+", f"turn_cap = {command.turn_cap}", ARENA.read_text(encoding="utf-8"))
            Path(folder, ARENA.name).write_text(cards, encoding="utf-8")
        words = command.words.replace("{cards}", folder)
        outputs = {seed: output(words, seed) for seed in range(1, seeds + 1)}
    if command.same:
        texts = {seed: json.dumps(found[command.same]) for seed, found in outputs.items()}
        usual = Counter(texts.values()).most_common(1)[0][0]
        outputs = {seed: found for seed, found in outputs.items() if texts[seed] == usual}
    runs = [pd.DataFrame(intervals(found, command.leave)).assign(seed=seed) for seed, found in outputs.items()]
    truth = None
    if command.long:
        truth = pd.DataFrame(intervals(output(command.long, 0), command.leave)).set_index(["of", "line"])["estimate"]
    return summary(pd.concat(runs, ignore_index=True), len(outputs), truth)


def summary(found: pd.DataFrame, seeds: int, truth: pd.Series | None = None) -> pd.DataFrame:
    """Ratio and coverage from the intervals of all seeds, see the docstring of this module. truth: by of and line.

    Raises ValueError if two lines of a table have the same name, because they would be mixed up.
    """
    if (twice := found.duplicated(["of", "line", "seed"])).any():
        of, line = found.loc[twice.idxmax(), ["of", "line"]]
        raise ValueError(f"{of}: several lines are called {line!r}; add the column that tells them apart to WORDS or PLACES")
    keys = found.groupby(["of", "line"], sort=False)
    found = found[keys["seed"].transform("size") >= LEAST * seeds]
    keys = found.groupby(["of", "line"], sort=False)
    right = keys["estimate"].transform("mean")
    if truth is not None:
        right = pd.Series(truth.reindex(pd.MultiIndex.from_frame(found[["of", "line"]])).to_numpy(), found.index).fillna(right)
    inside = (found["low"] <= right + 1e-9) & (right - 1e-9 <= found["high"])
    error = (found["high"] - found["low"]) / WIDTH
    table = found.assign(inside=inside, error=error).groupby(["of", "line"], sort=False)
    table = table.agg(sd=("estimate", "std"), error=("error", "mean"), inside=("inside", "mean")).reset_index()
    lines = []
    for of, part in table.groupby("of", sort=False):
        wide = part[(part["error"] > 0) & np.isfinite(part["error"])]
        ratio = float(np.sqrt((wide["sd"] ** 2).mean() / (wide["error"] ** 2).mean())) if len(wide) else float("nan")
        lines.append({"of": of, "seeds": seeds, "intervals": len(part), "ratio": ratio, "coverage": part["inside"].mean()})
    return pd.DataFrame(lines, columns=["of", "seeds", "intervals", "ratio", "coverage"])


def rows(command: Command, found: pd.DataFrame) -> list[str]:
    """Lines of the page's table."""
    return [
        f"| {command.name} | {line.of} | {command.games} | {line.seeds} | {line.intervals} | {_written(line.ratio)} | "
        f"{100 * line.coverage:.1f} % |"
        for line in found.itertuples()
    ]


def _written(ratio: float) -> str:
    """A ratio; empty where no interval has a width."""
    return f"{ratio:.2f}" if np.isfinite(ratio) else ""


def written(page: str) -> dict[str, list[str]]:
    """Rows of the table of the page by the name of their command."""
    table: dict[str, list[str]] = {}
    for line in page[page.index(START) : page.index(END)].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] != HEAD[0] and not set(cells[0]) <= {"-", ":"}:
            table.setdefault(cells[0], []).append(line)
    return table


def write(new: dict[str, list[str]], page: Path = PAGE) -> None:
    """Put rows into the table of the page, in the order of COMMANDS; those of other commands stay."""
    text = page.read_text(encoding="utf-8")
    known = written(text) | new
    head = [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]
    body = [line for command in COMMANDS for line in known.get(command.name, [])]
    before, after = text[: text.index(START)], text[text.index(END) :]
    page.write_text(f"{before}{START}\n\n" + "\n".join([*head, *body]) + f"\n\n{after}", encoding="utf-8")


def main() -> None:
    """Measure the named commands, or all, and write the results after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="commands of the table; all if left out")
    parser.add_argument("--seeds", type=int, default=100)
    asked = parser.parse_args()
    if unknown := set(asked.names) - {command.name for command in COMMANDS}:
        parser.error(f"{', '.join(sorted(unknown))}: name commands of the table, such as {COMMANDS[0].name!r}")
    for command in COMMANDS:
        if not asked.names or command.name in asked.names:
            new = rows(command, measure(command, asked.seeds))
            write({command.name: new})
            print("\n".join(new), flush=True)  # noqa: T201 - a command


if __name__ == "__main__":
    main()
