"""Figures as PNG, PDF and SVG: the same figure gives the same bytes, and several SVGs can share a page."""

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
    """Return the figure as an `<svg>` element without XML header.

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
    _rename(root, prefix)
    _shorten(root)
    root.set("role", "img")
    child = ET.Element(f"{{{SVG}}}title", {"id": f"{prefix}-title"})
    child.text = title
    root.insert(0, child)
    root.set("aria-labelledby", f"{prefix}-title")
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode")


def svg_file(element: str) -> str:
    """Return a stand-alone SVG file with an element made by `svg`."""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{element}\n'


def _rename(root: ET.Element, prefix: str) -> None:
    """Prefix every id that is referred to, drop the others, and limit the style rule to its chart."""
    used: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            used.update(REFERENCE.findall(value))
            used |= {value[1:]} if key.endswith("href") and value.startswith("#") else set()
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


def _shorten(root: ET.Element) -> None:
    """Round coordinates to a hundredth of a point, which is invisible and halves the page. Glyph outlines are not rounded."""
    for element in root.iter():
        if element.get("id", "").count("-") > 1 and "DejaVu" in element.get("id", ""):
            continue
        for key in ("d", "x", "y", "points"):
            value = element.get(key)
            if value:
                element.set(key, LONG_NUMBER.sub(lambda match: f"{float(match.group()):.2f}", value))
