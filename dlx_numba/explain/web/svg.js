// Helpers for elements, markup and labels.

// The names of the flags that are set, as the classes of an element.
const namesOf = (flags) => Object.keys(flags).filter((name) => name && flags[name]).join(" ");

const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const escapeText = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt()};`);

// An element as markup. Its content is markup, too.
const tag = (name, attributes, ...content) =>
  `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`).join("")}>${content.join("")}</${name}>`;

// An SVG picture as markup.
const drawPicture = (width, height, label, name, elements, role = "img") =>
  tag("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role, "aria-label": label, class: name }, ...elements);

// The width of a text in characters; those of East Asian scripts take two.
const widthOf = (text) => Array.from(text).reduce((sum, c) => sum + (c > "\u2e7f" ? 2 : 1), 0);

// Shortens a name for a row of the matrix, a node of the tree or a place of the picture.
function shorten(name, maxWidth = 12) {
  if (widthOf(name) <= maxWidth) return name;
  const start = Array.from(name);
  while (start.length && widthOf(start.join("")) >= maxWidth) start.pop();
  return `${start.join("").trimEnd()}…`;
}

const shortReferences = references.map((name) => shorten(name));
const referenceWidth = Math.max(0, ...shortReferences.map(widthOf));

// The value of a cell of an array. C is the number that is added to the size of covered items.
function formatCell(name, value) {
  if (name !== "size") return String(value);
  const [size, offset] = [toSigned(value), record.covered_offset];
  return `${"C+".repeat(Math.max(0, Math.floor(size / offset)))}${size % offset}`;
}

// Each state of an option has a symbol and a shape, so that none depends on color alone.
const STATE_SYMBOLS = { chosen: "✓", untried: "?", active: "", removed: "×" };
// In sub-steps, the rows that a step deals with have marks of their own.
const FOCUS_SYMBOLS = { selected: "▸", related: "!" };

// Actions that need the layout wait until everything is drawn, because the browser computes the
// layout again after each change.
const afterDrawing = [];

// Scrolls the element with the given id so that the rectangle is visible, with a margin that is a
// fraction of the element.
function scrollIntoView(id, x, y, width, height, fraction = 0.06) {
  const panel = byId(id);
  const nearest = (offset, visible, start, length) => {
    const margin = fraction * visible;
    return Math.max(Math.min(offset, start - margin), start + length + margin - visible);
  };
  afterDrawing.push(() => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = panel;
    panel.scrollLeft = nearest(scrollLeft, clientWidth, x, width);
    panel.scrollTop = nearest(scrollTop, clientHeight, y, height);
  });
}

// A short list for a label that a screen reader reads aloud.
const joinForLabel = (values) =>
  [...values.slice(0, 12), ...(values.length > 12 ? ["…"] : [])].join(", ") || "none";
