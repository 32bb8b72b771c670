"""Who may sit at a table, and what an experiment says of those who may not."""

from __future__ import annotations

from sim.engine.fieldpaths import did_you_mean
from sim.engine.teams import Teams


def no_such_thing(name: str, thing: str, things: tuple[str, ...], title: str) -> str:
    """What to say of a thing that cannot be forbidden."""
    if not things:
        return f"forbid={name!r}: nothing can be forbidden in {title}"
    return f"forbid={name!r}: {title} has nothing of that name to forbid; {did_you_mean(thing, list(things))}"


def check_room(seats: int, entrants: int, teams: Teams | None) -> None:
    """Raise ValueError where the card set has too few entrants that may sit at one table."""
    if teams is None and entrants < seats:
        raise ValueError(f"seats={seats}: the card set has {entrants} of the different entrants that this needs")
    if teams is not None and teams.parts < seats * teams.size:
        raise ValueError(
            f"seats={seats}: the card set has {teams.parts} of the {seats * teams.size} {teams.words} that this needs"
        )


def check_line_up(line_up: tuple[int, ...], seats: int, entrants: int, mirror: bool) -> None:
    """Raise ValueError where a fixed line-up cannot be seated."""
    if len(line_up) != seats:
        raise ValueError(f"line_up={line_up} has {len(line_up)} entrants for {seats} seats")
    if not all(0 <= entrant < entrants for entrant in line_up):
        raise ValueError(f"line_up={line_up}: entrants are numbered 0..{entrants - 1}")
    if not mirror and len(set(line_up)) < seats:
        raise ValueError(f"line_up={line_up}: no entrant can sit on two seats of this game")


def check_teams(line_up: tuple[int, ...], ids: tuple[str, ...], teams: Teams | None, word: str) -> None:
    """Raise ValueError where a fixed line-up seats a part twice that may sit once, or the game makes the teams itself."""
    if teams is None:
        return
    named = ", ".join(ids[entrant] for entrant in line_up)
    if not teams.planned:
        raise ValueError(f"line_up={named}: the {word} of this card set come about in the game, none can be seated")
    seated: set[int] = set()
    for members in teams.members[list(line_up)].tolist():
        if teams.disjoint and seated & set(members):
            shared = " and ".join(teams.names[part] for part in sorted(seated & set(members)))
            raise ValueError(
                f"line_up={named}: {shared} would sit in two {word}; every {teams.word} sits once at a table"
            )
        seated |= set(members)


def either(numbers: tuple[int, ...]) -> str:
    """Numbers of seats in words."""
    words = " or ".join(", ".join(map(str, numbers)).rsplit(", ", 1))
    return words + (" seat" if numbers == (1,) else " seats")
