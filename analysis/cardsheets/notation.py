"""Values of card files as text of a cell, and back, by the schema of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.engine.cardfiles.paths import key_words, shown
from sim.engine.cardfiles.validation import dereferenced, expected, json_schema

if TYPE_CHECKING:
    from sim.engine.contract import Game

SOURCE = "source"
SOURCE_NODE: dict[str, Any] = {"title": "Source"}  # of the schema, for a field `source`
Location = tuple[str | int, ...]
Node = Mapping[str, Any]


@dataclass(frozen=True)
class Formula:
    """A cell with a formula, which is not evaluated, and no stored value."""

    text: str


@dataclass(frozen=True)
class Unreadable:
    """A cell whose value has a type that card files lack. what: in words."""

    what: str
    text: str


class Schema:
    """The JSON schema of a card file, as far as sheets need it."""

    def __init__(self, game: Game) -> None:
        if game.schema is None:
            raise ValueError(f"{game.name}: declares no schema of its card file, so it has no spreadsheets")
        self.root = json_schema(game.schema)

    def fields(self, node: Node) -> dict[str, Node]:
        """Fields of a table; of a union, those of all its variants, beginning with the key that chooses one."""
        found: dict[str, Node] = {}
        variants = self._variants(node)
        tag = self.tag(node)
        for variant in variants:
            for name, reference in variant.get("properties", {}).items():
                part = dereferenced(self.root, reference)
                known = found.get(name)
                found[name] = part if known is None or known == part else _either(known, part)
        first = [tag] if tag else []
        last = [SOURCE] if SOURCE in found else []
        return {name: found[name] for name in dict.fromkeys([*first, *(name for name in found if name not in last), *last])}

    def required(self, node: Node) -> set[str]:
        """Fields that every variant of a table requires."""
        return set.intersection(*(set(variant.get("required", ())) for variant in self._variants(node)))

    def tag(self, node: Node) -> str | None:
        """The key that chooses the variant of a union; None for other parts."""
        return node["discriminator"]["propertyName"] if "discriminator" in node else None

    def _variants(self, node: Node) -> list[Node]:
        return [dereferenced(self.root, one) for one in node["oneOf"]] if "discriminator" in node else [node]

    def variant(self, node: Node, word: object) -> Node:
        """The variant of a union with this word in its tag; an empty part of a schema if there is none."""
        target = node["discriminator"]["mapping"].get(word) if isinstance(word, str) else None
        return dereferenced(self.root, {"$ref": target}) if target else {}

    def items(self, node: Node) -> Node:
        """What the entries of a list are."""
        return dereferenced(self.root, node.get("items", {}))

    def is_table(self, node: Node) -> bool:
        """Whether a part is a table with known fields."""
        return "properties" in node and not self.is_map(node)

    def is_map(self, node: Node) -> bool:
        """Whether a part is a table with arbitrary keys."""
        return bool(node.get("additionalProperties"))

    def entry(self, node: Node) -> Node:
        """The values of a table with arbitrary keys."""
        others = node.get("additionalProperties")
        return dereferenced(self.root, others) if isinstance(others, dict) else {}

    def is_list_of_tables(self, node: Node) -> bool:
        """Whether a part is a list of tables or of variants of one."""
        inner = self.items(node) if node.get("type") == "array" else {}
        return self.is_table(inner) or "discriminator" in inner

    def has_own_rows(self, node: Node) -> bool:
        """Whether the entries of a list are rows of their own sheet: tables with an id or a name, or declared as `[[...]]`."""
        if not self.is_list_of_tables(node):
            return False
        fields = self.fields(self.items(node))
        return "id" in fields or "name" in fields or str(node.get("description", "")).startswith("[[")

    def allowed(self, node: Node) -> str:
        """What a field accepts, in words; empty if that is unknown."""
        try:
            return "" if _is_source(node) else expected(self.root, dict(node))
        except KeyError:  # a whole number without limits
            return str(node.get("type", ""))

    def heading(self, name: str, node: Node) -> str:
        """Heading of a column: the name of the field, and its range or meaning."""
        inside = ""
        if node.get("type") == "integer" and {"minimum", "maximum"} <= set(node):
            inside = f"{node['minimum']}..{node['maximum']}"
        elif node.get("type") == "array" and not str(node.get("description", "[[")).startswith("[["):
            inside = "" if node["description"] == name else node["description"]
        elif node.get("type") == "boolean":
            inside = "true, false"
        return f"{name} ({inside})" if inside else name


def _is_source(node: Node) -> bool:
    return bool(node.get("title") == SOURCE_NODE["title"])


def _either(first: Node, second: Node) -> Node:
    """A field that differs between the variants of a union: without what they do not share."""
    return {key: value for key, value in first.items() if second.get(key) == value}


NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BARE = re.compile(r"""[^\s,;\[\]{}="'#](?:[^,\[\]{}="\r\n]*[^\s,\[\]{}="])?""")
_KEY = re.compile(r"[\w-]+")
_WORDS = {"true": True, "false": False}
DEPTH = 12
DIGITS_MAX = 40  # characters of a number


class Notation:
    """Values of card files as text of a cell, and back.

    A list is `1, 3, 5`, a list in a list `[0, -3], [3, 0]`, an empty one `[]`; a table is `{n = 2, when = hit}`; an effect
    begins with its name: `slow {n = 2}`. Text stands alone, or in quotes if it could be taken for something else.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def written(self, value: Any, node: Node) -> Any:
        """Return a value as a cell: a number, a truth value, or text."""
        if isinstance(value, float) and value.is_integer():
            return repr(value)  # a cell has no difference between 2.0 and 2
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            plain = (
                value and value == value.strip() and value[0] != '"' and (node.get("type") == "string" or self._is_bare(value))
            )
            return value if plain else json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            inner = self.schema.items(node)
            return self._list(value, inner) + ("," if value == [[]] else "") if value else "[]"
        if _is_source(node) and value:
            return ", ".join(f"{key_text(key)} = {self._text(entry, {})}" for key, entry in value.items())
        return self._text(value, node)

    def _is_bare(self, text: str) -> bool:
        return bool(_BARE.fullmatch(text)) and not NUMBER.fullmatch(text) and text.lower() not in _WORDS

    def _list(self, value: list[Any], inner: Node) -> str:
        return ", ".join(self._text(entry, inner) for entry in value)

    def _text(self, value: Any, node: Node) -> str:
        if isinstance(value, list):
            return f"[{self._list(value, self.schema.items(node))}]"
        if isinstance(value, dict):
            tag = self.schema.tag(node)
            word = value.get(tag) if tag else None
            if tag and isinstance(word, str) and self._is_bare(word):
                fields = self.schema.variant(node, word).get("properties", {})
                rest = {key: entry for key, entry in value.items() if key != tag}
                return f"{word} {self._table(rest, fields)}" if rest else word
            return self._table(value, node.get("properties", {}), self.schema.entry(node))
        if isinstance(value, str):
            return value if self._is_bare(value) else json.dumps(value, ensure_ascii=False)
        return json.dumps(value)

    def _table(self, value: Mapping[str, Any], fields: Mapping[str, Node], other: Node | None = None) -> str:
        parts = []
        for key, entry in value.items():
            node = dereferenced(self.schema.root, dict(fields[key])) if key in fields else other or {}
            parts.append(f"{key_text(key)} = {self._text(entry, node)}")
        return "{" + ", ".join(parts) + "}"

    def read(self, cell: Any, node: Node) -> Any:
        """Return the value of a cell that is not empty. Raises ValueError for what no card file can hold.

        A value of a type that the field does not accept is returned as it is: the validation of the card file refuses it.
        """
        if isinstance(cell, Formula):
            raise ValueError("is a formula without a stored value; enter its value")
        if isinstance(cell, Unreadable):
            raise ValueError(f"is {cell.what}; enter a number, true, false or text (format the cell as text first)")
        kind = node.get("type")
        if isinstance(cell, str):
            return self._of_text(cell.strip(), node)
        if isinstance(cell, bool):
            return [cell] if kind == "array" else cell
        if isinstance(cell, float) and cell.is_integer():  # some programs store every number that way
            cell = int(cell)
        if kind == "array":
            return [cell]
        return str(cell) if kind == "string" and "enum" not in node and "const" not in node else cell

    def _of_text(self, text: str, node: Node) -> Any:
        kind = node.get("type")
        if text.startswith('"') and kind not in ("array", "object"):
            return _Reader(text, self.schema).whole(node)
        if kind == "string":
            return text
        if kind == "array":
            return _Reader(text, self.schema).top(node)
        if kind == "object" or "discriminator" in node:
            return _Reader(text, self.schema).whole(node)
        if "=" in text or text.startswith("{"):  # a source of single fields
            return _Reader(text if text.startswith("{") else f"{{{text}}}", self.schema).whole(node)
        return _plain(text, node)


def key_text(key: str) -> str:
    """Return a key of a table, quoted if it is not a plain word."""
    return key if _KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _plain(text: str, node: Node) -> Any:
    """A word of a cell: a number, a truth value, or text. A whole number can be written as 3.0, as some programs do."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if not NUMBER.fullmatch(text) or len(text) > DIGITS_MAX:
        return text
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    number = float(text)
    return int(number) if node.get("type") == "integer" and number.is_integer() else number


class _Reader:
    """Reader of the notation. Raises ValueError with the character at which it fails."""

    def __init__(self, text: str, schema: Schema) -> None:
        self.text, self.schema, self.at, self.depth = text, schema, 0, 0

    def top(self, node: Node) -> list[Any]:
        """The list that a whole cell is."""
        if self.text == "[]":
            return []
        inner = self.schema.items(node)
        entries = self._entries(inner, "")
        alone = len(entries) == 1 and isinstance(entries[0], list) and not self.text.endswith(",")
        if alone and inner.get("type") not in (None, "array"):  # written with brackets around the whole list
            return list(entries[0])
        return entries

    def whole(self, node: Node) -> Any:
        """The value that a whole cell is."""
        value = self._value(node)
        self._space()
        if self.at < len(self.text):
            raise self._wrong("nothing more")
        return value

    def _wrong(self, right: str) -> ValueError:
        found = shown(self.text[self.at : self.at + 12]) if self.at < len(self.text) else "the end"
        return ValueError(f"is not well formed at character {self.at + 1}, {found}; {right} was expected")

    def _space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _next(self) -> str:
        self._space()
        return self.text[self.at : self.at + 1]

    def _take(self, mark: str) -> None:
        if self._next() != mark:
            raise self._wrong(mark)
        self.at += 1

    def _entries(self, inner: Node, end: str) -> list[Any]:
        entries = []
        while self._next() != end:
            entries.append(self._value(inner))
            if self._next() != end:
                self._take(",")
        return entries

    def _value(self, node: Node) -> Any:
        self.depth += 1
        if self.depth > DEPTH:
            raise ValueError(f"is nested too deep; at most {DEPTH} levels are allowed")
        value = self._one(node)
        self.depth -= 1
        return value

    def _one(self, node: Node) -> Any:
        mark = self._next()
        if mark == "[":
            self.at += 1
            entries = self._entries(self.schema.items(node), "]")
            self._take("]")
            return entries
        if mark == "{":
            return self._table(node, {})
        if mark == '"':
            word: Any = self._quoted()
        else:
            match = _BARE.match(self.text, self.at)
            if not match:
                raise self._wrong("a value")
            word, self.at = match[0].rstrip(), match.end()
            if "discriminator" not in node and node.get("type") != "string":
                word = _plain(word, node)
        if tag := self.schema.tag(node):
            rest = self._table(self.schema.variant(node, word), {}) if self._next() == "{" else {}
            if tag in rest:
                raise ValueError(f"has {tag} twice: {shown(word)} and {shown(rest[tag])}; keep one of them")
            return {tag: word, **rest}
        return word

    def _quoted(self) -> str:
        try:
            word, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except ValueError:
            raise self._wrong("text that ends with a quotation mark") from None
        return str(word)

    def _table(self, node: Node, table: dict[str, Any]) -> dict[str, Any]:
        self._take("{")
        while self._next() != "}":
            match = _KEY.match(self.text, self.at)
            if match:
                key, self.at = match[0], match.end()
            elif self._next() == '"':
                key = self._quoted()
            else:
                raise self._wrong("the name of a field")
            if key in table:
                raise ValueError(f"has {key_words(key)} twice; keep one of them")
            self._take("=")
            properties = node.get("properties", {})
            inner = dereferenced(self.schema.root, dict(properties[key])) if key in properties else self.schema.entry(node)
            table[key] = self._value(inner)
            if self._next() != "}":
                self._take(",")
        self._take("}")
        return table
