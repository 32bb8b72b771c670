"""Validation of card files against their schema, and the provenance of their numbers.

pydantic finds the errors; this module reports them in terms of the file.

`source = "rulebook"` in a table covers all its numbers, including nested tables; `source = { move = "assumed" }` covers single
fields. The innermost source applies.
"""

import difflib
import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from sim.engine.cardfiles.agreement import Agreement, Unique, disagreements
from sim.engine.cardfiles.columns import Apart
from sim.engine.cardfiles.paths import (
    NEAR_MAX,
    PROBLEMS_SHOWN,
    CardError,
    Document,
    Location,
    Problem,
    address,
    addresses,
    depth,
    did_you_mean,
    fitting,
    is_number,
    look_up,
    numeric_fields,
    problem_list,
    scalars,
    shown,
    size,
)

SOURCES = ("rulebook", "publisher", "assumed")
PRINTED = ("rulebook", "publisher")
CHANGED = "changed"  # source rulebook or publisher, but different from the printed number in the reference set


@dataclass(frozen=True)
class Provenance:
    """A number of a card file: its path, its value, and its source (one of SOURCES, or CHANGED)."""

    path: str
    value: float
    source: str


def traced(document: Document, reference: Document | None = None) -> tuple[Provenance, ...]:
    """Return the provenance of every number of a valid card file, in the order of the file.

    reference: the game's reference set; a number with source rulebook or publisher that differs from it is CHANGED.
    """
    originals = () if reference is None else traced(reference)
    printed = {number.path: number.value for number in originals if number.source in PRINTED}
    numbers = [(location, value, source) for location, value, source in sourced_numbers(document) if source is not None]
    paths = addresses(document, (location for location, _, _ in numbers))
    provenance = []
    for path, (_, value, source) in zip(paths, numbers, strict=True):
        differs = source in PRINTED and printed.get(path, value) != value
        provenance.append(Provenance(path, value, CHANGED if differs else source))
    return tuple(provenance)


def sourced_numbers(document: Document) -> Iterator[tuple[Location, float, str | None]]:
    """Yield location, value and source of every number; the source is None if there is none."""
    for location, value in scalars(document):
        if is_number(value):
            yield location, value, _source_of(document, location)


def source_tables(node: Any, location: Location = ()) -> Iterator[tuple[Location, Any]]:
    """Yield location and value of every `source` key in a node and below."""
    if isinstance(node, Mapping):
        if "source" in node:
            yield (*location, "source"), node["source"]
        for key, value in node.items():
            if key != "source":
                yield from source_tables(value, (*location, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from source_tables(value, (*location, index))


def _source_of(document: Document, location: Location) -> str | None:
    """Return the innermost source that covers a number."""
    node: Any = document
    nearest = None
    for step in location:
        source = node.get("source") if isinstance(node, dict) else None
        if isinstance(source, dict):
            source = source.get(step)
        if isinstance(source, str):
            nearest = source
        node = node[step]
    return nearest


DEPTH_MAX = 12  # nesting depth of tables and lists
VALUES_MAX = 100_000  # of a document; hundreds of decks have about 20,000
PROBLEMS_MAX = 200  # limit of problems examined

# Characters that break a line, change the text direction or cannot be seen, so that two names would look alike.
_HIDDEN = r"\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}"
_PICTURE = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]\x{FE0F}?"
_EMOJI = rf"{_PICTURE}(?:\x{{200D}}{_PICTURE})*"  # some need a hidden character that selects their form or joins them
_SEEN, _SEEN_OR_BLANK = rf"(?:[^\s{_HIDDEN}]|{_EMOJI})", rf"(?:[^{_HIDDEN}]|{_EMOJI})"
Text = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60,
        pattern=rf"^{_SEEN_OR_BLANK}*{_SEEN}{_SEEN_OR_BLANK}*$",
        description="text of 1 to 60 characters without control and invisible characters",
    ),
]
OptionalText = Annotated[
    str,
    Field(
        max_length=60,
        pattern=rf"^{_SEEN_OR_BLANK}*$",
        description="text of at most 60 characters without control and invisible characters, or empty",
    ),
]
Identifier = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9_]{0,39}$",
        description="an id of at most 40 lower-case letters, digits and _, beginning with a letter",
    ),
]
Source = Any  # checked below, because the message for a union of text and table would be unreadable


class CardModel(BaseModel):
    """A table of a card file: no unknown keys, no silent conversions."""

    AGREEMENT: ClassVar[Agreement] = ()  # what must agree between its fields

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def effect_model(word: str, meaning: str, on: Any, tag: Any = ("op", ()), agreement: Agreement = (), **parameters: Any) -> Any:
    """Return the model of an effect: a table that names it by `op = word`, or by another key, and has its parameters.

    meaning: its docstring; on: what can have the effect, its class variable ON. tag: the key, and marks of its column.
    agreement: its class variable AGREEMENT. parameters: annotation of each, or annotation and default.
    """
    key, marks = tag
    fields: dict[str, Any] = {name: given if isinstance(given, tuple) else (given, ...) for name, given in parameters.items()}
    fields = {key: (Annotated[(Literal[word], *marks)] if marks else Literal[word], ...), **fields}
    model: Any = create_model(word, __base__=CardModel, __doc__=meaning, **fields)
    model.ON, model.AGREEMENT = on, agreement
    return model


def one_of(models: Iterable[Any], key: str = "op") -> Any:
    """Return the annotation of a table that is one of several effects, as `key` names it."""
    return Annotated[Union[tuple(models)], Field(discriminator=key)]  # noqa: UP007 - known at run time only


class RuleSwitches(CardModel):
    """`[rules]` of a card file with switches between interpretations of the rules. Rules without any need only be a CardModel."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset()  # fields that are not shown as switches
    source: Source = None

    def switches(self) -> dict[str, Any]:
        """Return the switches with their values as in the file, including defaults."""
        return self.model_dump(exclude={"source", *self.CONSTANTS})

    @classmethod
    def variants(cls) -> dict[str, tuple[str, ...]]:
        """Return the values of every switch as words of the file, the default first."""
        usual = {name: str(value).lower() for name, value in cls().switches().items()}
        members = {name: getattr(cls.model_fields[name].annotation, "__members__", ("FALSE", "TRUE")) for name in usual}
        words = {name: [member.lower() for member in members[name]] for name in usual}
        return {name: (word, *(other for other in words[name] if other != word)) for name, word in usual.items()}


class CardFile(CardModel):
    """The header of every card file. A game's file adds its tables and narrows `game` to its own name."""

    ENTRANTS: ClassVar[str] = ""  # the list of its entrants, each with id and name

    game: Text
    format: Annotated[int, Field(ge=1, le=1), Apart()]  # Literal[1] would accept true
    title: Text = ""
    # numbers that tuning does not change
    fixed: Annotated[list[Text], Field(max_length=200), Apart()] = Field(default_factory=list)

    def problems(self) -> Iterator[Problem]:
        """Yield violations of rules that involve several fields and that no row of an AGREEMENT can express.

        Called only if every single field is valid.
        """
        yield from ()

    def entrants(self) -> dict[str, str]:
        """Return the name of each entrant by its id, in the order of the file."""
        return {entrant.id: entrant.name for entrant in getattr(self, self.ENTRANTS)}

    def switches(self) -> dict[str, Any]:
        """Return the rule switches with their values, including defaults."""
        rules: Any = getattr(self, "rules", None)
        return rules.switches() if isinstance(rules, RuleSwitches) else {}


def within(place: Location, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems of a table as those of the file. place: location of the table."""
    for problem in problems:
        yield Problem((*place, *problem.location), problem.wrong, problem.right)


File = TypeVar("File", bound=CardFile)


def validate(model: type[File], document: Document, path: Path | str) -> File:
    """Return the document as an instance of the game's model.

    Raises CardError with a line for each problem: unknown keys, wrong types, values out of range, numbers without a
    source, fields that do not agree, and those of `model.problems`.
    """
    if depth(document, DEPTH_MAX) > DEPTH_MAX:
        raise CardError(f"{path}: tables and lists are nested too deep; at most {DEPTH_MAX} levels are allowed")
    if size(document, VALUES_MAX) > VALUES_MAX:
        raise CardError(f"{path}: has more than {VALUES_MAX:,} values, the limit for a card file")
    problems: list[Problem] = []
    try:
        instance = model.model_validate(dict(document))
    except ValidationError as error:
        entries = error.errors(include_url=False)[:PROBLEMS_MAX]
        problems = [_problem(json_schema(model), document, entry) for entry in entries]
    known = {problem.location for problem in problems}
    problems += [problem for problem in _source_problems(json_schema(model), document) if problem.location not in known]
    if not problems:
        entrants = (Unique(f"{model.ENTRANTS}[].id"),) if model.ENTRANTS else ()
        between = itertools.chain(_fixed_problems(document), disagreements(instance, entrants), instance.problems())
        problems = [*itertools.islice(between, PROBLEMS_MAX)]
    if problems:
        raise CardError(report(document, problems, path), problems)
    return instance


def _fixed_problems(document: Document) -> Iterator[Problem]:
    """Yield the patterns of `fixed` that match no number."""
    patterns = document.get("fixed", ())
    known = numeric_fields(document) if patterns else []
    unknown = ((index, pattern) for index, pattern in enumerate(patterns) if not fitting(known, pattern))
    for count, (index, pattern) in enumerate(unknown):
        near = difflib.get_close_matches(pattern, known[:NEAR_MAX], 1, 0.0) if count < PROBLEMS_SHOWN else []
        right = f"must be the path of a number, such as {(near or known)[0]}, or a pattern with * for any text"
        yield Problem(("fixed", index), "matches no number of this file", right)


def report(document: Document, problems: list[Problem], path: Path | str) -> str:
    """Return the first problems of a file, one line each, see `problem_list`."""
    lines = []
    for problem in problems[: PROBLEMS_SHOWN + 1]:
        exists, value = look_up(document, problem.location)
        field = address(document, problem.location, by_name=False)
        value_text = f" = {shown(value)}" if exists else ""
        right = f"; {problem.right}" if problem.right else ""
        lines.append(f"{path}: {field}{value_text}: {problem.wrong}{right}")
    return problem_list(path, lines, f"{len(problems):,}")


@functools.cache
def json_schema(model: type[CardFile]) -> dict[str, Any]:
    """Return the JSON schema of a card file."""
    return model.model_json_schema()


def _follow(root: dict[str, Any], location: Location) -> tuple[dict[str, Any], Location]:
    """Return the part of the schema at one of pydantic's locations, and the location in the document.

    The locations differ in unions discriminated by a key (`op`, `kind`), because pydantic inserts the chosen tag.
    """
    node = dereferenced(root, root)
    steps: list[str | int] = []
    for step in location:
        if "discriminator" in node and step in node["discriminator"]["mapping"]:
            node = {"$ref": node["discriminator"]["mapping"][step]}
        else:
            steps.append(step)
            node = _child(node, step)
        node = dereferenced(root, node)
    return node, tuple(steps)


def _child(node: dict[str, Any], step: str | int) -> dict[str, Any]:
    """Return the schema of an entry of a list or table, including tables with arbitrary keys."""
    others = node.get("additionalProperties")
    otherwise = others if isinstance(others, dict) else {}
    child: dict[str, Any] = node.get("items", {}) if isinstance(step, int) else node.get("properties", {}).get(step, otherwise)
    return child


def dereferenced(root: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the schema itself in place of a reference to it. root: the whole schema."""
    return root["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node


_WRONG = {
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
    "too_short": "is too short",
    "too_long": "is too long",
    "string_too_short": "is empty",
    "string_too_long": "is too long",
    "string_pattern_mismatch": "is not well formed",
    "literal_error": "is not one of the choices",
    "missing": "is missing",
}


def _problem(root: dict[str, Any], document: Document, entry: Any) -> Problem:
    """Return an error of pydantic in terms of the file."""
    kind = entry["type"]
    node, location = _follow(root, entry["loc"])
    if kind == "extra_forbidden":
        table, _ = _follow(root, entry["loc"][:-1])
        known = list(table.get("properties", {}))
        return Problem(location, "is not a key of this table", did_you_mean(location[-1], known))
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        key, choices = node["discriminator"]["propertyName"], list(node["discriminator"]["mapping"])
        location = (*location, key)
        exists, value = look_up(document, location)
        right = f"must be one of {', '.join(choices)}"
        if isinstance(value, str) and "did you mean" in (hint := did_you_mean(value, choices)):
            right = f"{hint} {right}"
        return Problem(location, "is not one of the choices" if exists else "is missing", right)
    return Problem(location, _WRONG.get(kind, "has the wrong type"), f"must be {expected(root, node)}")


def expected(root: dict[str, Any], node: dict[str, Any]) -> str:
    """Return what a part of the schema accepts, in words."""
    choices = [node["const"]] if "const" in node else node.get("enum")
    if choices:
        return ("one of " if len(choices) > 1 else "") + ", ".join(shown(choice) for choice in choices)
    match node.get("type"):
        case "integer":
            least, most = node["minimum"], node["maximum"]
            words = f"{least}" if least == most else f"a whole number from {least} to {most}"
        case "boolean":
            words = "true or false"
        case "string":
            words = str(node.get("description", "text"))
        case "array":
            least, most = node.get("minItems", 0), node.get("maxItems")
            count = f"{least}" if least == most else f"{least} to {most}"
            meaning = f" ({node['description']})" if "description" in node else ""
            words = f"a list of {count}{meaning}, each {expected(root, dereferenced(root, node['items']))}"
        case _:
            words = "a table"
    return words


def _source_problems(root: dict[str, Any], document: Document) -> list[Problem]:
    """Return unknown sources, sources of unknown fields, and numbers without a source."""
    choices = f"must be one of {', '.join(shown(source) for source in SOURCES)}"
    problems = []
    for location, source in source_tables(document):
        fields = source.items() if isinstance(source, dict) else [(None, source)]
        for field, value in fields:
            place = location if field is None else (*location, field)
            known = _known_keys(root, document, location[:-1])
            if field is not None and known and field not in known:
                problems.append(Problem(place, "is given for an unknown field", did_you_mean(field, known)))
            elif value not in SOURCES:
                problems.append(Problem(place, "is not a source", choices))
    bare = [location for location, _, source in sourced_numbers(document) if source is None]
    fields_without = dict.fromkeys(_whole_field(location) for location in bare)
    needed = f"every number needs a source: {', '.join(SOURCES[:-1])} or {SOURCES[-1]}"
    return problems + [Problem(location, "has no source", needed) for location in fields_without]


def _known_keys(root: dict[str, Any], document: Document, location: Location) -> list[str]:
    """Return the valid keys of a table of the document; for arbitrary keys, also those that it has."""
    table = _table_at(root, document, location)
    known = list(table.get("properties", {}))
    return known + list(look_up(document, location)[1]) if table.get("additionalProperties") else known


def _whole_field(location: Location) -> Location:
    """Return the location without trailing indices: `knockback` instead of `knockback[2]`."""
    while location and isinstance(location[-1], int):
        location = location[:-1]
    return location


def _table_at(root: dict[str, Any], document: Document, location: Location) -> dict[str, Any]:
    """Return the part of the schema for a table of the document."""
    node = dereferenced(root, root)
    value: Any = document
    for step in location:
        value = value[step]
        node = _child(node, step)
        if "discriminator" in node:
            tag = value.get(node["discriminator"]["propertyName"]) if isinstance(value, dict) else None
            mapping = node["discriminator"]["mapping"]
            node = {"$ref": mapping[tag]} if isinstance(tag, str) and tag in mapping else {}
        node = dereferenced(root, node)
    return node
