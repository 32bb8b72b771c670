"""Make docs/playtests.csv, the log of the tutorial: games of the Arena in which one number is not that of the reference set.

Seven people play with favourites. Strong players simulate every game CANDIDATES times, and one of these is drawn, with odds of e
to the power of the skill of its winner: a person who is better by 1 has e times the odds. Run it as
``python docs/make_playtests.py``; it takes about a minute.
"""

import csv
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

import fairfight as ff

FILE = Path(__file__).with_name("playtests.csv")
HIDDEN = ("hero.temple_guard.defence", 4)  # 3 in the reference set
GAMES = 300
CANDIDATES = 12
SEED = 2026
SEATS, SEAT_SHARES = (2, 3, 4), (0.55, 0.3, 0.15)
FAVOURITE = 0.5  # chance that a person takes one of two favourites
GAMES_AN_EVENING = 8
MINUTES_A_TURN = 1.5
TESTERS = {  # skill, in log-odds, and favourites
    "Ann": (0.9, ("bow_master", "hook_thrower")),
    "Ben": (0.3, ("rhino_guy", "valasca")),
    "Cleo": (0.0, ("temple_guard", "mirror_mage")),
    "Dan": (-0.3, ("valasca", "dragon_hatcher")),
    "Eve": (0.5, ("bow_master", "mirror_mage")),
    "Finn": (-0.9, ("whirl_fighter", "rhino_guy")),
    "Gus": (-0.5, ("whirl_fighter", "temple_guard")),
}
HEADINGS = ("game", "date", "player", "hero", "seat", "won", "minutes")


def line_up(people: list[str], heroes: list[str], rng: np.random.Generator) -> list[str]:
    """What each person plays: different heroes, some of them favourites."""
    heroes_chosen: list[str] = []
    for person in people:
        favourites = [hero for hero in TESTERS[person][1] if hero not in heroes_chosen]
        free = [hero for hero in heroes if hero not in heroes_chosen]
        heroes_chosen.append(str(rng.choice(favourites if favourites and rng.random() < FAVOURITE else free)))
    return heroes_chosen


def played(cards: ff.Cards, people: list[str], heroes: list[str], seed: int, rng: np.random.Generator) -> pd.DataFrame:
    """One game, a row for each seat, in turn order."""
    seats = ff.play(cards, CANDIDATES, seats=len(people), line_up=heroes, seed=seed, progress=False).seats
    seats = seats[seats["finished"]].assign(player=seats["seat"].map(dict(enumerate(people))))
    skill = seats["player"].map({person: strength for person, (strength, _) in TESTERS.items()})
    odds = np.exp((seats["share"] * skill).groupby(seats["game"]).sum())
    game = rng.choice(odds.index, p=odds / odds.sum())
    rows: pd.DataFrame = seats[seats["game"] == game].sort_values("position")
    return rows


def make() -> list[list[str]]:
    """Rows of the log as people write them."""
    reference = ff.load("arena")
    cards = reference.set(*HIDDEN)
    heroes = reference.frame["field"].str.extract(r"^hero\.(\w+)\.")[0].dropna().unique().tolist()
    rng = np.random.default_rng(SEED)
    rows = []
    for game in range(1, GAMES + 1):
        people = rng.choice(list(TESTERS), rng.choice(SEATS, p=SEAT_SHARES), replace=False).tolist()
        seats = played(cards, people, line_up(people, heroes, rng), game, rng)
        day = date(2026, 3, 3) + timedelta(days=7 * ((game - 1) // GAMES_AN_EVENING))
        minutes = round(MINUTES_A_TURN * seats["turns"].iloc[0] + rng.integers(5, 15))
        for _, seat in seats.iterrows():
            won = "yes" if seat["won"] else "no"
            rows.append([str(game), day.isoformat(), seat["player"], seat["name"], str(seat["position"] + 1), won, str(minutes)])
    return rows


def blemish(rows: list[list[str]]) -> None:
    """Change some cells to what people write when they are tired."""
    cells = {"41": ("won", ""), "133": ("won", ""), "207": ("won", "draw"), "88": ("minutes", "")}
    for row in rows:
        heading, text = cells.get(row[0], ("", ""))
        if heading:
            row[HEADINGS.index(heading)] = text
    for number, change in ((20, str.lower), (301, str.upper), (477, str.lower)):
        row = rows[number]
        row[HEADINGS.index("hero")] = change(row[HEADINGS.index("hero")])


if __name__ == "__main__":
    log = make()
    blemish(log)
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([HEADINGS, *log])
