"""Synthetic tidy frames, one per chart form, with invented entrants."""

from math import sqrt

import numpy as np
import pandas as pd
from scipy import stats

from analysis import charts
from tests.analysis.report.card_frames import CARD_FRAMES
from tests.analysis.report.contest_frames import CONTEST_FRAMES
from tests.analysis.report.duel_frames import DUEL_FRAMES
from tests.analysis.report.lead_frames import LEAD_FRAMES
from tests.analysis.report.loadout_frames import LOADOUT_FRAMES
from tests.analysis.report.team_frames import TEAM_FRAMES

NAMES = ("Amber Fox", "Basalt", "Cinder Witch", "Dune Walker", "Ember", "Frost Giant", "Gale", "Hollow Knight")
STRENGTH = np.array([0.42, 0.24, 0.12, 0.05, 0.0, -0.12, -0.22, -0.5])
GAMES = 4200


def interval(rate: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Wilson interval of a share."""
    z = 1.96
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def rates(names: tuple[str, ...] = NAMES, seats: tuple[int, ...] = (2, 3, 4), n: int = GAMES) -> pd.DataFrame:
    parts = []
    for shift, k in enumerate(seats):
        power = np.exp(np.roll(np.resize(STRENGTH, len(names)), shift) * 0.6)
        rate = np.clip(power / power.mean() / k, 0, 1)
        low, high = interval(rate, n)
        top, bottom = 1.1 / k, 0.9 / k
        verdict = np.select(
            [low > top, high < bottom, (low > bottom) & (high < top)], ["too strong", "too weak", "fair"], "not decided"
        )
        columns = {"seats": k, "name": names, "estimate": rate, "low": low, "high": high, "n": n, "fair": 1 / k}
        parts.append(pd.DataFrame({**columns, "verdict": verdict}))
    return pd.concat(parts, ignore_index=True)


def matchups(names: tuple[str, ...] = NAMES, n: int = 600) -> pd.DataFrame:
    rows = []
    strength = np.resize(STRENGTH, len(names))
    for a, name in enumerate(names):
        for b, opponent in enumerate(names):
            if a != b:
                rate = 1 / (1 + np.exp(-1.5 * (strength[a] - strength[b]) - 0.4 * np.sin(3.0 * (a - b))))
                low, high = interval(np.array(rate), n)
                rows.append((name, opponent, rate, float(low), float(high), n))
    return pd.DataFrame(rows, columns=["name", "opponent_name", "estimate", "low", "high", "n"])


def positions(seats: tuple[int, ...] = (2, 3, 4)) -> pd.DataFrame:
    parts = []
    for k in seats:
        rate = 1 / k * (1 + 0.12 * np.linspace(1, -1, k)) if k > 1 else np.array([1.0])
        low, high = interval(rate, GAMES)
        columns = {"seats": k, "position": np.arange(k), "estimate": rate, "low": low, "high": high, "n": GAMES}
        parts.append(pd.DataFrame({**columns, "fair": 1 / k}))
    return pd.concat(parts, ignore_index=True)


def goals(names: tuple[str, ...] = NAMES, n: int = 320) -> pd.DataFrame:
    rows = []
    tags = ("chest (as played)", "debt", "golem", "chest and golem")
    for index, name in enumerate(names):
        for hard, tag in enumerate(tags):
            rate = float(np.clip(0.92 - 0.27 * hard + 0.3 * STRENGTH[index % 8], 0.004, 1))
            low, high = interval(np.array(rate), n)
            rows.append((name, tag, rate, float(low), float(high), n))
    return pd.DataFrame(rows, columns=["row", "column", "estimate", "low", "high", "n"])


def causes(names: tuple[str, ...] = NAMES) -> pd.DataFrame:
    kinds = ("Knockback, red", "Knockback, yellow", "Collision", "Pull", "Own step")
    base = np.array([4.0, 2.5, 2.0, 0.8, 0.3])
    rows = []
    for index, name in enumerate(names):
        weights = base * (1 + 0.45 * np.sin(np.arange(5) * 1.7 + index))
        n = 1500 + 137 * index
        for kind, share in zip(kinds, weights / weights.sum(), strict=True):
            low, high = interval(np.array(share), n)
            rows.append((name, kind, share, float(low), float(high), n))
    return pd.DataFrame(rows, columns=["name", "category", "estimate", "low", "high", "n"])


def hexes(radius: int = 4) -> pd.DataFrame:
    rows = []
    for panel in ("Fell from", "Stood at the end of a turn"):
        cells = [(q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if abs(q + r) <= radius]
        edge = np.array([max(abs(q), abs(r), abs(q + r)) for q, r in cells])
        tilt = np.array([1 + 0.06 * q + 0.04 * r for q, r in cells])
        weight = tilt * (np.exp(1.1 * edge) if panel == "Fell from" else np.exp(-0.35 * edge))
        share = weight / weight.sum()
        rows += [(panel, q, r, value, 61000) for (q, r), value in zip(cells, share, strict=True)]
    return pd.DataFrame(rows, columns=["panel", "q", "r", "value", "n"])


def steps(fields: int = 9) -> pd.DataFrame:
    labels = ("Move", "Defence", "Zone length, red", "Zone length, yellow", "Strike: knockback, red")
    labels += ("Strike: dice", "Strike: range", "Zone length, green", "Long Throw: knockback, green")
    rows = []
    for entrant, scale in (("Amber Fox", 1.0), ("Hollow Knight", 0.7)):
        for index in range(fields):
            for step in (-1, 1):
                change = step * scale * 0.075 * 0.68**index * (1 if step > 0 else 0.8) * (-1 if index == 4 else 1)
                half = 0.0045
                value = str(3 + step)
                rows.append((entrant, labels[index % 9], step, change, change - half, change + half, 20000, value))
    return pd.DataFrame(rows, columns=["name", "field", "step", "change", "low", "high", "n", "value"])


def variants(names: tuple[str, ...] = NAMES) -> pd.DataFrame:
    parts = []
    tags = ("default", "A02 any hit throws", "A04 damage adds", "A06 path at the end", "A09 attacker picks", "A12 pass")
    for shift, variant in enumerate(tags):
        part = rates(names, (4,), 16000).drop(columns=["fair", "verdict"]).assign(variant=variant)
        move = 0.022 * shift * np.sin(np.arange(len(names)) * 1.9 + shift) * (np.arange(len(names)) % 3 == shift % 3)
        for field in ("estimate", "low", "high"):
            part[field] += move
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def pools(attacks: tuple[int, ...] = (3, 4, 5, 6), n: int = 100_000) -> pd.DataFrame:
    rows = []
    generator = np.random.default_rng(11)
    for attack in attacks:
        for defence in (0, 1, 2, 3):
            exact = np.zeros(attack + 1)
            for hits in range(attack + 1):
                for blocks in range(defence + 1):
                    chance = stats.binom.pmf(hits, attack, 0.5) * stats.binom.pmf(blocks, defence, 0.5)
                    exact[max(0, hits - blocks)] += chance
            simulated = generator.multinomial(n, exact / exact.sum()) / n
            values = np.arange(attack + 1)
            sd = sqrt(float(exact @ values**2 - (exact @ values) ** 2))
            z = float((simulated - exact) @ values / (sd / sqrt(n)))
            for value in values:
                row = (f"Attack {attack} dice", f"Defence {defence}", value, exact[value], simulated[value], n, z)
                rows.append(row)
    return pd.DataFrame(rows, columns=["row", "column", "value", "exact", "simulated", "n", "z"])


def duels(names: tuple[str, ...] = NAMES, n: int = 20_000) -> pd.DataFrame:
    rows = []
    for index, name in enumerate(names):
        for hard in range(11):
            power = np.resize(STRENGTH, len(names))[index]
            exact = float(np.clip(1.2 - 0.13 * hard + power, 0, 1)) if index != 2 or hard != 4 else np.nan
            seen = exact + 0.003 * np.sin(3.0 * index + hard) * (0 < exact < 1)
            rows.append((name, f"Opponent {hard + 1}", exact, seen, n))
    return pd.DataFrame(rows, columns=["row", "column", "value", "below", "n"])


def helpers(n: int = 20_000) -> pd.DataFrame:
    rows = []
    for panel, sign in (("Slain", 1), ("An attacker dies", -1)):
        for loadout, name in enumerate(("bare-handed", "Sword", "Sword and full armour", "Maul")):
            for attackers in range(1, 5):
                rate = 1 / (1 + np.exp(-sign * (attackers - 3 + 0.6 * loadout)))
                low, high = interval(np.array(rate), n)
                rows.append((panel, name, attackers, rate, float(low), float(high), n))
    return pd.DataFrame(rows, columns=["panel", "line", "x", "estimate", "low", "high", "n"])


def made_of(names: tuple[str, ...] = NAMES, seats: tuple[int, ...] = (1, 3)) -> pd.DataFrame:
    rows = []
    for k in seats:
        for index, name in enumerate(names):
            parts = np.array([1.4, 0.7, 0.4, 0.1]) * (1 + 0.1 * k) * (1 + 0.4 * np.sin(np.arange(4) + index))
            total = float(parts.sum())
            for kind, amount in zip(("trap", "poison", "goblin", "other"), parts, strict=True):
                rows.append((k, name, kind, amount, total, total - 0.05, total + 0.05, GAMES))
    columns = ["seats", "name", "category", "estimate", "total", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def firsts(names: tuple[str, ...] = ("Shop", "Key", "Rush"), seats: tuple[int, ...] = (1, 2, 3, 4)) -> pd.DataFrame:
    parts = []
    for k in seats:
        for index, name in enumerate(names):
            turns = np.arange(0, 61)
            share = (1 - 0.25 * (index % 3)) * stats.expon.cdf(turns, scale=(2 + 5 * (index % 3)) / k * 2)
            low, high = interval(share, GAMES)
            columns = {"seats": k, "name": name, "turns": turns, "estimate": share, "low": low, "high": high}
            parts.append(pd.DataFrame({**columns, "n": GAMES}))
    return pd.concat(parts, ignore_index=True)


def had(names: tuple[str, ...] = NAMES) -> pd.DataFrame:
    index = np.arange(len(names))
    change = 0.12 - 0.03 * index
    columns = {"name": names, "change": change, "low": change - 0.02, "high": change + 0.02, "n": 900 + 10 * index}
    return pd.DataFrame({**columns, "price": np.where(index == 2, np.nan, 2.0 + index % 5)})


FRAMES = {
    "forest": rates,
    "heatmap": matchups,
    "grid": goals,
    "matrix": duels,
    "lines": helpers,
    "bars": positions,
    "stacked": causes,
    "board": hexes,
    "tornado": steps,
    "slope": variants,
    "dice": pools,
    "amounts": made_of,
    "curves": firsts,
    "gains": had,
    **CONTEST_FRAMES,
    **TEAM_FRAMES,
    **CARD_FRAMES,
    **LEAD_FRAMES,
    **LOADOUT_FRAMES,
    **DUEL_FRAMES,
}

FORMS = {form: getattr(charts, form) for form in FRAMES}
