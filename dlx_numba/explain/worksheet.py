"""Worksheets: the matrix before each step of a search, blanks for what it does, and the answers."""

from html import escape

from .frame import algorithm_texts, fill_page
from .picture import MAX_FRAMES, draw_still
from .record import SearchRecord

BLANKS = {  # by action
    "choose": ("Item chosen", "Number of its options"),
    "cover": ("Options that disappear",),
    "prepare": ("Options that disappear",),
    "try": ("Option", "Items that it covers", "Options that disappear"),
    "undo": ("Option", "Options that return"),
    "backtrack": ("Item that returns",),
    "visit": ("The cover",),
}


def format_worksheet(record: SearchRecord, condensed: bool) -> str:
    """Return an HTML file to print: the steps, each with a matrix and blanks, and the answers.

    A condensed matrix has only the rows and columns that are left. Raises ValueError if there are
    too many steps.
    """
    if len(record.steps) > MAX_FRAMES:
        raise ValueError(f"a worksheet has at most {MAX_FRAMES} steps: use --steps {MAX_FRAMES}")
    view = record.view
    exercises = []
    for number, step in enumerate(record.steps[1:], 1):
        # The matrix (False: not the links) after all phases (None) of the step before
        picture = draw_still(record, number - 1, None, False, condensed).embedded(has_size=True)
        labels = BLANKS.get(step.action, ("What happens",))
        lines = (f'<p>{label}: <span class="blank"></span></p>' for label in labels)
        blanks = f'<div class="blanks">{"".join(lines)}</div>'
        exercises.append(
            f"<section><h2>{number}. Step {step.name} at level "
            f"{step.level}</h2>\n{picture}{blanks}</section>\n"
        )
    return fill_page(
        "worksheet.html",
        view.title,
        kind="" if view.n_primary < len(view.items) else "without-secondary",
        exercises="".join(exercises),
        answers="".join(f"<li>{escape(step.text)}</li>\n" for step in record.steps[1:]),
        **algorithm_texts(record),
    )
