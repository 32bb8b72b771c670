"""Games on disk: run folders that lose nothing, and single files of game rows. The format is told in README.md."""

from sim.store.disk import StoreError
from sim.store.folder import Filled, Run, is_run
from sim.store.parts import Summarise
from sim.store.rowsfile import RowsFile, rows_file

__all__ = ["Filled", "RowsFile", "Run", "StoreError", "Summarise", "is_run", "rows_file"]
