"""Games on disk: run folders that lose nothing, and the columns of files of games. README.md describes the formats."""

from sim.store.disk import StoreError
from sim.store.folder import Filled, Run, is_run
from sim.store.parts import Summarise

__all__ = ["Filled", "Run", "StoreError", "Summarise", "is_run"]
