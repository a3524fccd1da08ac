"""The colors of all pictures and pages, for light and dark mode.

Text, lines and symbols use the colors of Okabe and Ito. The colors of pieces are computed: of all
with a contrast of at least 4.5 to dark text, they are as different as possible, also for readers
with protanopia or deuteranopia. Both palettes are safe for color-blind readers.
"""

from string import ascii_uppercase

# Design tokens: the value of each named color in light mode and in dark mode.
TOKENS = {
    "paper": ("#fdfdfb", "#161719"),
    "ink": ("#1b1b1b", "#ececea"),
    "soft": ("#5b5b5b", "#a9a9a5"),  # secondary text
    "line": ("#c9c9c4", "#4a4b4e"),
    "panel": ("#f3f3ef", "#202224"),
    "blue": ("#0072b2", "#56b4e9"),
    "on-blue": ("#ffffff", "#101214"),  # text on blue
    "orange": ("#e69f00", "#f0b030"),
    "on-orange": ("#1b1b1b", "#101214"),
    "red": ("#b34700", "#ff9c5a"),
    "green": ("#00694c", "#4fd0a5"),
    "focus": ("#0072b2", "#56b4e9"),
    "band": ("#fff0cf", "#453718"),  # background of a highlighted row
    "shade": ("#dededa", "#323538"),  # background of shaded cells
    "grid": ("#b9b9b4", "#55565a"),  # thin lines between cells
}
LIGHT, DARK = ({name: modes[k] for name, modes in TOKENS.items()} for k in (0, 1))

# Fill colors of pieces, the same in both modes: dark text and outlines are legible on all of them.
COLORS = (
    "#aaddff",  # light blue
    "#ee9922",  # orange
    "#99aaff",  # periwinkle
    "#eeee55",  # yellow
    "#448888",  # teal
    "#ddeebb",  # pale green
    "#ee9999",  # pink
    "#4477ee",  # blue
    "#dd5522",  # vermilion
    "#229955",  # green
    "#9988bb",  # purple
    "#aaaabb",  # gray
    "#dd4488",  # magenta
    "#dddddd",  # pale gray
)
# The index of the color of each letter. Those of A to N differ, and so do the names of pentominoes,
# and of tetrominoes.
COLOR_OF_LETTER = dict(
    zip(ascii_uppercase, (*range(14), 2, 9, 13, 12, 12, 3, 4, 2, 0, 12, 1, 7), strict=True)
)
RED = "#d55e00"  # of outlines, legible in both modes
INK_ON_COLORS = "#101214"

ROOT_CLASS = "dlx-picture"  # of the root element of each picture

CLASSES = {  # CSS selector within a picture -> (property, token)
    "": ("fill", "ink"),
    ".paper": ("fill", "paper"),
    ".soft": ("fill", "soft"),
    ".one": ("fill", "blue"),
    ".on": ("fill", "on-blue"),
    ".mark": ("fill", "orange"),
    ".shade": ("fill", "shade"),
    ".rule": ("stroke", "ink"),
    ".thin": ("stroke", "grid"),
    ".wire": ("stroke", "ink"),
}


def page_style() -> str:
    """Return the design tokens as CSS custom properties, for light and dark mode, and the rules of
    pictures without a style of their own.

    Insert the text at the beginning of a style sheet, which then refers to a token as
    ``var(--ink)``. Single pictures do not use the properties: not every SVG viewer supports them.

    Returns
    -------
    str
        A ``:root`` block with both values of each token, of which ``color-scheme`` selects one. On
        a screen, it follows the system; paper is white. The rules of pictures follow.

    Examples
    --------
    >>> page_style().splitlines()[:3]
    [':root {', '  color-scheme: light;', '  --paper: light-dark(#fdfdfb, #161719);']
    """
    colors = (f"  --{name}: light-dark({', '.join(modes)});\n" for name, modes in TOKENS.items())
    screen = "@media screen { :root { color-scheme: light dark; } }"
    rules = _SHAPES + _class_rules({name: f"var(--{name})" for name in TOKENS})
    return f":root {{\n  color-scheme: light;\n{''.join(colors)}}}\n{screen}\n{rules}\n"


def _rule(selector: str, declarations: str) -> str:
    """Return a CSS rule that applies within pictures only."""
    return f".{ROOT_CLASS} {selector}".rstrip() + f"{{{declarations}}}"


def _class_rules(tokens: dict[str, str]) -> str:
    return "".join(
        _rule(selector, f"{key}:{tokens[token]}") for selector, (key, token) in CLASSES.items()
    )


_FONT = "13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"

# Classes "over" and "edge" are text and outlines on `COLORS`.
_SHAPES = f"""
{_rule("", f"font:{_FONT};text-anchor:middle")}
{_rule(".rule", "stroke-width:2")}{_rule(".strong", "font-weight:bold")}
{_rule(".small", "font-size:11px")}
{_rule(".over", f"fill:{INK_ON_COLORS}")}{_rule(".edge", f"stroke:{INK_ON_COLORS}")}
"""
# The style sheet of each picture. The rules do not affect other parts of a page that contains a
# picture, such as a notebook.
STYLE = f"""{_SHAPES}{_class_rules(LIGHT)}
@media (prefers-color-scheme:dark){{{_class_rules(DARK)}}}
"""
