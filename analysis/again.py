"""The command that goes on where one ended: what was typed, with some options changed."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from typer import Context
from typer.core import TyperArgument, TyperOption

# Where results go, how they look and who plays says nothing of the games.
LEFT_OUT = frozenset({"as_json", "csv", "rows", "chart", "force", "jobs", "wide", "no_color"})


def again(context: Context, **changed: Any) -> str:
    """Write the command of `context` as one would type it, with the options of `changed` (by parameter name) in place of theirs.

    An option that is changed to None is left out, as are those that concern the output alone.
    """
    words = ["fairfight", str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = changed.get(name, context.params.get(name))
        source = context.get_parameter_source(name)
        typed = source is not None and source.name == "COMMANDLINE"
        if name in LEFT_OUT or value is None or not (typed or name in changed):
            continue
        if isinstance(parameter, TyperArgument):
            words.append(quote(str(value)))
        elif isinstance(parameter, TyperOption):
            words += [word for one in (value if parameter.multiple else [value]) for word in _typed(parameter, one)]
    return " ".join(words)


def _typed(option: TyperOption, value: Any) -> list[str]:
    """An option with its value."""
    if option.is_flag:
        names: Mapping[bool, list[str]] = {True: option.opts, False: option.secondary_opts}
        return names[bool(value)][:1]
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return [option.opts[0], quote(text)]
