"""SVG as text: elements, and a frame that is readable in light and in dark."""

from collections.abc import Iterable
from html import escape

from .palette import STYLE


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element. `content` is SVG; `class_` and `text_anchor` are written `class`, `text-anchor`.

    >>> tag("text", "a &lt; b", x=1.0, class_="small")
    '<text x="1" class="small">a &lt; b</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def label(text: object, x: float, y: float, class_: str = "", **attributes: object) -> str:
    """A text whose middle, or what `text_anchor` says, is at x, and whose base is at y."""
    kind = {"class_": class_} if class_ else {}
    return tag("text", escape(str(text)), x=x, y=y, **kind, **attributes)


def picture(width: float, height: float, title: str, description: str, parts: Iterable[str]) -> str:
    """A whole file. `title` and `description` are what a screen reader reads."""
    head = tag("title", escape(title), id="title") + tag("desc", escape(description), id="desc")
    body = tag("rect", width=width, height=height, class_="paper", rx=6) + "\n".join(parts)
    return (
        tag(
            "svg",
            f"{head}\n<style>{STYLE}</style>\n{body}\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_value(width)} {_value(height)}",
            width=width,
            height=height,
            role="img",
            aria_labelledby="title desc",
        )
        + "\n"
    )


def _value(value: object) -> str:
    return (
        f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else escape(str(value))
    )
