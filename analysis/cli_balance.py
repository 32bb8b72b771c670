"""The subcommands that turn win rates into decisions, gathered for the `fairfight` command."""

from __future__ import annotations

from collections.abc import Callable

from analysis.cli_change import screen_command, sensitivity_command, whatif_command
from analysis.cli_matchups import matchups_command
from analysis.cli_pace import pace_command
from analysis.cli_seats import seats_command
from analysis.cli_skill import skill_command
from analysis.cli_sure import compare_command, strongest_command
from analysis.cli_train import train_command
from analysis.cli_tune import tune_command

COMMANDS: dict[str, Callable[..., None]] = {  # name on the command line -> what it runs
    "compare": compare_command,
    "strongest": strongest_command,
    "matchups": matchups_command,
    "seats": seats_command,
    "pace": pace_command,
    "skill": skill_command,
    "whatif": whatif_command,
    "sensitivity": sensitivity_command,
    "screen": screen_command,
    "tune": tune_command,
    "train": train_command,
}
