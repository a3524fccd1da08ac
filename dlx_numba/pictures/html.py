"""Parts of HTML that objects show in notebooks: tables, pictures in a row, and progress bars."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from .palette import LIGHT, page_style

MIN_SCALE = 0.6  # of pictures in a row


def page(title: str, style: str, body: str) -> str:
    """Return an HTML document whose style sheet begins with that of pictures."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{page_style()}{style}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def facts(rows: Iterable[tuple[str, object]]) -> str:
    """Return a table of names and values.

    >>> facts([("covers", "2 < 3")])
    '<table><tr><th style="text-align:left">covers</th><td>2 &lt; 3</td></tr></table>'
    """
    cells = (
        f'<tr><th style="text-align:left">{escape(name)}</th><td>{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table>{''.join(cells)}</table>"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with a header; each cell is text.

    >>> table(["a"], [[1]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(text: str) -> str:
    """Return a paragraph of text, in which backticks enclose code.

    >>> paragraph("`a` < `b`")
    '<p><code>a</code> &lt; <code>b</code></p>'
    """
    return "<p>" + re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)) + "</p>"


def figures(pictures: Iterable[tuple[str, str]], width: int) -> str:
    """Return pictures in rows, each with a caption below it.

    Parameters
    ----------
    pictures
        SVG documents and their captions, which may be empty.
    width
        The least width of each picture in pixels. Large pictures are wider, so that they stay
        legible; a single one has at least its own size.
    """
    pictures = list(pictures)
    scale = MIN_SCALE if len(pictures) > 1 else 1.0

    def widen(match: re.Match[str]) -> str:
        """Return the opening tag of a document with its new width; `viewBox` has the height."""
        new_width = max(width, round(scale * float(match["width"])))
        return f'{match["before"]} width="{new_width}" style="max-width:100%"'

    size = re.compile(r'(?P<before><svg [^>]*?) width="(?P<width>[^"]*)" height="[^"]*"')
    parts = (
        f'<figure style="margin:0;max-width:100%">{size.sub(widen, picture.strip(), count=1)}'
        f'<figcaption style="text-align:center">{escape(caption)}</figcaption></figure>'
        for picture, caption in pictures
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(parts)}</div>'


def scrollable(content: str) -> str:
    """Return HTML that has a scroll bar if it is wider than the page."""
    return f'<div style="overflow-x:auto">{content.strip()}</div>'


def progress_bar(fraction: float, text: str) -> str:
    """Return a bar that shows a fraction from 0 to 1, and a text below it.

    >>> 'aria-valuenow="25"' in progress_bar(0.25, "25 % explored")
    True
    """
    percent = f"{100 * fraction:.4g}"
    return (
        f'<div role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" '
        f'style="width:20em;max-width:100%;height:0.8em;border:1px solid {LIGHT["line"]};'
        f'border-radius:0.4em;overflow:hidden"><div style="width:{percent}%;height:100%;'
        f'background:{LIGHT["blue"]}"></div></div>{paragraph(text)}'
    )
