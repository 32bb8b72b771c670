"""The range of seeds, and seeds of games that must be independent of others. Imports little, so that it loads quickly."""

from hashlib import blake2b

SEED_MAX = 2**63 - 1
RETEST = "re-test"  # purpose of games that had no part in choosing what they test
DERIVED_BITS = 53  # so that every derived seed is exact in JSON, whose numbers are often read as floats


def checked_seed(seed: int) -> int:
    """Return the seed. Raises ValueError outside 0..SEED_MAX."""
    if not 0 <= seed <= SEED_MAX:
        raise ValueError(f"seed={seed} must be 0..{SEED_MAX}")
    return seed


def derived_seed(seed: int, purpose: str) -> int:
    """Seed of other games of a study, such as those that re-test a proposal: a hash of its seed and the purpose.

    The next seed would not do: users who try "another seed" choose it too, and would play the same games again.
    """
    digest = blake2b(f"{seed}: {purpose}".encode()).digest()
    return int.from_bytes(digest[:8], "little") % (1 << DERIVED_BITS)
