"""The range of seeds. Imports nothing, so that options can be checked quickly."""

SEED_MAX = 2**63 - 1


def checked_seed(seed: int) -> int:
    """Return the seed. Raises ValueError outside 0..SEED_MAX."""
    if not 0 <= seed <= SEED_MAX:
        raise ValueError(f"seed={seed} must be 0..{SEED_MAX}")
    return seed
