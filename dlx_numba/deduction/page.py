"""A page to click through the steps of a deduction."""

from html import escape
from itertools import takewhile, zip_longest

from ..cover.covers import as_cover
from ..pictures.html import page, paragraph
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from . import Deduction

_STYLE = """body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; background: var(--paper); color: var(--ink); }
svg { max-width: 100%; height: auto; }
button { font: inherit; padding: 0.3rem 1rem; }
"""
_CONTROLS = """<nav hidden><button id="previous">Previous</button>
<button id="next">Next step</button> <output id="position"></output></nav>
"""
_SCRIPT = """<script>
const sections = document.querySelectorAll("section");
let current = 0;
function show(k) {
  current = Math.max(0, Math.min(k, sections.length - 1));
  sections.forEach((section, number) => { section.hidden = number !== current; });
  document.getElementById("position").textContent = `${current + 1} of ${sections.length}`;
  history.replaceState(null, "", `#${current + 1}`);
}
document.querySelector("nav").hidden = false;
document.getElementById("next").onclick = () => show(current + 1);
document.getElementById("previous").onclick = () => show(current - 1);
document.onkeydown = ({ key }) => show(current + (key === "ArrowRight") - (key === "ArrowLeft"));
show(Number(location.hash.slice(1) || 1) - 1);
</script>
"""


def steps_page(title: str, deduction: Deduction, stop: Stop) -> str:
    """Return an HTML file with a section for each step, and one for what is known after them.

    If `stop` ends the drawing, the other steps have no pictures, which the last section says.
    """
    pictures = [step.svg() for step in takewhile(lambda _: not stop(), deduction)]
    texts = (paragraph(step.text) for step in deduction)
    sections = [text + picture for text, picture in zip_longest(texts, pictures, fillvalue="")]
    end = paragraph(deduction.end) if deduction.end else ""
    if len(pictures) < len(deduction):
        end += paragraph(f"The time limit was reached after {plural(len(pictures), 'picture')}.")
    if deduction.source is not None:
        end += as_cover(deduction.source.stated, sorted(deduction.chosen)).svg() or ""
    parts = (f"<section>\n{section}\n</section>\n" for section in [*sections, end] if section)
    body = f"<h1>{escape(title)}</h1>\n{_CONTROLS}{''.join(parts)}{_SCRIPT}"
    return page(title, _STYLE, body)
