"""Figures as PNG, PDF and SVG: the same figure gives the same bytes, and several SVGs can share a page."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.figure import Figure

from analysis.charts.style import DENSITY, settings

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
GLYPH = re.compile(r"DejaVuSans(-\w+)?-(\w+)$")  # id of the outline of a letter: weight, code
GLYPHS = re.compile(r'<path id="[^"]*-(DejaVuSans[^"]*)"([^>]*)/>')
STEP = re.compile(r"([MLz])(?:(-?[\d.]+) (-?[\d.]+))?")
STRAIGHT = re.compile(r"M-?[\d.]+ -?[\d.]+(?:[ML]-?[\d.]+ -?[\d.]+)*z?")
WORD = re.compile(r'(?:<use href="#l[^"]*"(?: [xy]="[^"]*")*/>){2,}')
ALONG = re.compile(r"translate\((-?[\d.]+) 0\)")


def png(figure: Figure) -> bytes:
    """Return the figure as PNG, without a date or the version of matplotlib."""
    buffer = io.BytesIO()
    with settings():
        figure.savefig(buffer, format="png", dpi=DENSITY, metadata={"Software": None})
    return buffer.getvalue()


def pdf(figure: Figure, title: str = "") -> bytes:
    """Return the figure as PDF with selectable text, without a date or the version of matplotlib."""
    buffer = io.BytesIO()
    with settings(), mpl.rc_context({"pdf.fonttype": 42}):
        figure.savefig(buffer, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None, "Title": title})
    return buffer.getvalue()


def svg(figure: Figure, name: str, title: str) -> str:
    """Return the figure as an `<svg>` element without XML header, as short as it can be without visible loss.

    name: identifier of the chart, unique on its page; every id inside starts with it, so that charts on a page do not use each
    other's clip paths. title: text for screen readers.
    """
    buffer = io.BytesIO()
    prefix = re.sub(r"[^a-zA-Z0-9_-]", "-", name)
    with settings(), mpl.rc_context({"svg.hashsalt": prefix}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(buffer.getvalue())
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    for element in [*root.iter()]:
        for style in element.findall(f"{{{SVG}}}style"):  # matplotlib's only rule, which would apply to the whole page
            element.remove(style)
    root.set("stroke-linejoin", "round")
    _rename(root, prefix)
    _shorten(root)
    _unwrap(root)
    root.set("role", "img")
    child = ET.Element(f"{{{SVG}}}title", {"id": f"{prefix}-title"})
    child.text = title
    root.insert(0, child)
    root.set("aria-labelledby", f"{prefix}-title")
    ET.register_namespace("", SVG)
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def svg_file(element: str) -> str:
    """Return a stand-alone SVG file with an element made by `svg`, for viewers that know only SVG 1.1 too."""
    linked = element.replace(' href="', ' xlink:href="').replace("<svg ", f'<svg xmlns:xlink="{XLINK}" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{linked}\n'


def shared(elements: Sequence[str]) -> tuple[str, list[str]]:
    """Return what charts of a page share, an `<svg>` element with a style sheet, letters and words, and the elements without it.

    Charts have the same letters, words and styles, which make up more than half of their size.
    """
    outlines: dict[str, str] = {}
    styles: dict[str, str] = {}

    def moved(found: re.Match[str]) -> str:
        outlines[_letter(found[1])] = found[2].rstrip()
        return ""

    short = []
    for element in elements:
        without = GLYPHS.sub(moved, element).replace("<defs></defs>", "").replace("<defs/>", "")
        linked = re.sub(r'href="#[^"]*?-(DejaVuSans[^"]*)"', lambda found: f'href="#{_letter(found[1])}"', without)
        short.append(
            re.sub(r' style="([^"]*)"', lambda found: f' class="{styles.setdefault(found[1], f"c{len(styles)}")}"', linked)
        )
    if not short:
        return "", []
    short = _without_blanks(short, outlines)
    short, words = _with_shared_words(short)
    paths = "".join(f'<path id="{letter}"{rest}/>' for letter, rest in sorted(outlines.items()))
    groups = "".join(f'<g id="{name}">{letters}</g>' for letters, name in words.items())
    rules = "".join(f".{name}{{{style}}}" for style, name in styles.items())
    content = f"<style>{rules}</style><defs>{paths}{groups}</defs>"
    return f'<svg class="letters" aria-hidden="true" width="0" height="0">{content}</svg>', short


def _without_blanks(elements: Sequence[str], outlines: dict[str, str]) -> list[str]:
    """Drop the letters without an outline: blanks, which need no element, as every letter has its place."""
    for letter in [letter for letter, rest in outlines.items() if ' d="M' not in rest]:
        del outlines[letter]
        elements = [re.sub(f'<use href="#{letter}"[^>]*/>', "", element) for element in elements]
    return list(elements)


def _with_shared_words(elements: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Replace words that occur several times, as names do, by references; returns the ids of their letters too."""
    counts = Counter(letters for element in elements for letters in WORD.findall(element))
    words = {letters: f"w-{number}" for number, letters in enumerate(one for one, count in counts.items() if count > 1)}

    def referred(found: re.Match[str]) -> str:
        return f'<use href="#{words[found[0]]}"/>' if found[0] in words else found[0]

    return [WORD.sub(referred, element) for element in elements], words


def _letter(glyph: str) -> str:
    """Short id of the outline of a letter: `l-41` or `l-bold-41`."""
    match = GLYPH.fullmatch(glyph)
    assert match
    return f"l{(match[1] or '').lower()}-{match[2]}"


def _rename(root: ET.Element, prefix: str) -> None:
    """Number the ids that are referred to, and drop the others. Letters keep their names."""
    used: dict[str, str] = {}
    for element in root.iter():
        for key, value in element.attrib.items():
            ids = REFERENCE.findall(value) + ([value[1:]] if key.endswith("href") and value.startswith("#") else [])
            for word in ids:
                used.setdefault(word, f"{prefix}-{word if GLYPH.search(word) else len(used)}")
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id" and value not in used:
                del element.attrib[key]
            elif key == "id":
                element.set(key, used[value])
            elif key.endswith("href"):
                del element.attrib[key]
                element.set("href", f"#{used[value[1:]]}" if value.startswith("#") else value)
            else:
                element.set(key, REFERENCE.sub(lambda found: f"url(#{used[found[1]]})", value))
    root.set("id", prefix)


def _shorten(root: ET.Element) -> None:
    """Round coordinates to a hundredth of a point, which is invisible, and write them without blanks and zeros in excess."""
    for element in root.iter():
        element.text = element.text.strip() if element.text and element.text.strip() else None
        element.tail = None
        if along := ALONG.fullmatch(element.get("transform", "")) if element.tag == f"{{{SVG}}}use" else None:
            del element.attrib["transform"]  # of a letter in a line, in units of the font
            element.set("x", f"{float(along[1]):.0f}")
        is_letter = bool(GLYPH.search(element.get("id", "")))
        for key in ("d", "x", "y", "points", "transform"):
            value = element.get(key)
            if value and not is_letter and key != "transform":
                value = LONG_NUMBER.sub(lambda match: _decimal(float(match.group())), value)
            elif value and not is_letter and value.startswith("translate("):
                first, mark, rest = value.partition(")")
                value = LONG_NUMBER.sub(lambda match: _decimal(float(match.group())), first) + mark + rest
            if value:
                element.set(key, _path(value) if key == "d" else value)
        if style := element.get("style"):
            element.set("style", re.sub(r"([:;]) +", r"\1", style).rstrip("; "))


def _path(data: str) -> str:
    """Return the data of a path without blanks in excess; horizontal and vertical lines give one coordinate."""
    short = re.sub(r" *([A-Za-z]) *", r"\1", data).strip()
    if not STRAIGHT.fullmatch(short):
        return short
    written: list[str] = []
    here = ("", "")
    for command, x, y in STEP.findall(short):
        if command in "Mz":
            written.append(f"{command}{x} {y}".strip())
        elif x != here[0] and y != here[1]:
            written.append(f"L{x} {y}")
        else:
            written.append(f"H{x}" if y == here[1] else f"V{y}")
        here = (x, y)
    return "".join(written)


def _decimal(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _unwrap(parent: ET.Element) -> None:
    """Replace groups without attributes by what they contain."""
    kept: list[ET.Element] = []
    for child in parent:
        _unwrap(child)
        kept += list(child) if child.tag == f"{{{SVG}}}g" and not child.attrib else [child]
    parent[:] = kept
