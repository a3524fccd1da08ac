"""SVG as text: elements, labels and whole documents."""

import re
from collections.abc import Iterable
from zlib import crc32

from .palette import ROOT_CLASS, STYLE

# XML cannot contain these characters in any notation; names of items may. The expression takes
# milliseconds to compile, so the first picture does it.
_NOT_IN_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an SVG element.

    Parameters
    ----------
    name
        The tag name.
    content
        SVG inside the element; it is not escaped.
    **attributes
        Attributes; floats are rounded to two digits. A trailing underscore is removed, and the
        others become hyphens: `class_` is written ``class``, `text_anchor` ``text-anchor``.

    Examples
    --------
    >>> tag("text", "a &lt; b", x=1.0, class_="small")
    '<text x="1" class="small">a &lt; b</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_format_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def label(text: object, x: float, y: float, class_: str = "", **attributes: object) -> str:
    """Return a text element with its baseline at `y`.

    The text is centered at `x` unless the attribute `text_anchor` is given.
    """
    class_attribute = {"class_": class_} if class_ else {}
    return tag("text", _as_xml(text), x=x, y=y, **class_attribute, **attributes)


class Svg(str):
    """An SVG document as text, which notebooks show as a picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Svg: {len(self):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return str(self)

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height in pixels."""
        width, height = re.findall(r' (?:width|height)="([^"]*)"', self)[:2]
        return float(width), float(height)

    def embedded(self, has_size: bool = False) -> str:
        """Return the document without its style and its size, for a page that has both."""
        text = re.sub(r"<style>.*?</style>\n", "", self, flags=re.DOTALL)
        return text if has_size else re.sub(r' width="[^"]*" height="[^"]*"', "", text, count=1)


def picture(
    width: float, height: float, title: str, description: str, elements: Iterable[str]
) -> Svg:
    """Return an SVG document.

    A page may contain several documents: the rules of the style sheet apply within pictures only,
    and different pictures have different ids.

    Parameters
    ----------
    width, height
        The size in pixels.
    title, description
        Plain text for screen readers.
    elements
        The SVG elements, in drawing order.
    """
    paper = tag("rect", width=width, height=height, class_="paper", rx=6)
    body = paper + "\n".join(elements)
    key = f"dlx-{crc32(_as_xml(f'{title} {description} {body}').encode()):08x}"
    ids = f"{key}-title", f"{key}-desc"
    head = tag("title", _as_xml(title), id=ids[0]) + tag("desc", _as_xml(description), id=ids[1])
    return Svg(
        tag(
            "svg",
            f"{head}\n<style>{STYLE}</style>\n{body}\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_format_value(width)} {_format_value(height)}",
            width=width,
            height=height,
            class_=ROOT_CLASS,
            role="img",
            aria_labelledby=" ".join(ids),
        )
        + "\n"
    )


def _format_value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else _as_xml(value)


def _as_xml(text: object) -> str:
    """Return a text for an element or attribute, with U+FFFD for characters that XML excludes."""
    from html import escape  # slow to import, and most problems are not drawn

    return escape(re.sub(_NOT_IN_XML, "\ufffd", str(text)))
