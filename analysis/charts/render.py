"""A figure as bytes: the same figure gives the same bytes, and several SVGs can stand on one page."""

import hashlib
import io
import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.figure import Figure

from analysis.charts.style import DENSITY, settings

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def png(figure: Figure) -> bytes:
    """Return the figure as PNG, without a date or the drawing program's version."""
    buffer = io.BytesIO()
    with settings():
        figure.savefig(buffer, format="png", dpi=DENSITY, metadata={"Software": None})
    return buffer.getvalue()


def pdf(figure: Figure, title: str = "") -> bytes:
    """Return the figure as PDF, text as text, without a date or the drawing program's version."""
    buffer = io.BytesIO()
    with settings(), mpl.rc_context({"pdf.fonttype": 42}):
        figure.savefig(
            buffer, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None, "Title": title}
        )
    return buffer.getvalue()


def svg(figure: Figure, name: str, title: str, description: str = "") -> str:
    """Return the figure as one `<svg>` element without XML header.

    name: identifier of the chart, unique on its page; every id inside starts with it, so that charts on one page do
    not take each other's clip paths. title, description: what a screen reader says.
    """
    buffer = io.BytesIO()
    prefix = re.sub(r"[^a-zA-Z0-9_-]", "-", name)
    with settings(), mpl.rc_context({"svg.hashsalt": prefix}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(buffer.getvalue())
    _drop_metadata(root)
    _rename(root, prefix)
    _shorten(root)
    _describe(root, prefix, title, description)
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode")


def svg_file(element: str) -> str:
    """Return the text of a stand-alone SVG file that holds an element made by `svg`."""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{element}\n'


def digest(element: str) -> str:
    """Short fingerprint of a chart, for tests and reports."""
    return hashlib.sha256(element.encode()).hexdigest()[:12]


def _drop_metadata(root: ET.Element) -> None:
    for child in list(root):
        if child.tag == f"{{{SVG}}}metadata":
            root.remove(child)


def _rename(root: ET.Element, prefix: str) -> None:
    """Prefix every id that something refers to, drop the others, and keep the style rule inside its chart."""
    used = _referred(root)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id" and value not in used:
                del element.attrib[key]
            elif key == "id":
                element.set(key, f"{prefix}-{value}")
            elif key.endswith("href") and value.startswith("#"):
                element.set(key, f"#{prefix}-{value[1:]}")
            else:
                element.set(key, REFERENCE.sub(rf"url(#{prefix}-\1)", value))
        if element.tag == f"{{{SVG}}}style" and element.text:
            element.text = element.text.replace("*{", f"#{prefix} *{{")
    root.set("id", prefix)


def _referred(root: ET.Element) -> set[str]:
    """Ids that something inside refers to."""
    used: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            used.update(REFERENCE.findall(value))
            if key.endswith("href") and value.startswith("#"):
                used.add(value[1:])
    return used


def _shorten(root: ET.Element) -> None:
    """Round to a hundredth of a point, which no eye sees and which halves the page. Glyph outlines stay whole."""
    for element in root.iter():
        if element.get("id", "").count("-") > 1 and "DejaVu" in element.get("id", ""):
            continue
        for key in ("d", "x", "y", "points"):
            value = element.get(key)
            if value:
                element.set(key, LONG_NUMBER.sub(lambda found: f"{float(found.group()):.2f}", value))


def _describe(root: ET.Element, prefix: str, title: str, description: str) -> None:
    """Give the element a role and the words a screen reader says."""
    root.set("role", "img")
    said = [("title", title)] + ([("desc", description)] if description else [])
    for at, (tag, words) in enumerate(said):
        child = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{prefix}-{tag}"})
        child.text = words
        root.insert(at, child)
    root.set("aria-labelledby", " ".join(f"{prefix}-{tag}" for tag, _ in said))
