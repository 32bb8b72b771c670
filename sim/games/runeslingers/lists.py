"""Lists and counts in sentences."""

from collections import Counter
from collections.abc import Iterable, Sequence


def counted(words: Iterable[str]) -> list[str]:
    """Words with how many there are of each: `Insight`, `2x Fireball`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
