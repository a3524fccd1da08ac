// SVG elements.

function svg(tag, attributes = {}, parent = null, text = null) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  if (text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

function drawing(holder, width, height, label) {
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  set(picture, { "aria-label": label });
  document.getElementById(holder).append(picture);
  return picture;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The marks of the four states of an option: each has a shape and a sign of its own.
const SIGNS = { chosen: "✓", waiting: "?", left: "", out: "×" };
const WORDS = { chosen: "chosen", waiting: "to be tried", left: "left", out: "out" };

// Draws the mark of a state in a square of side s at (x, y).
function mark(parent, x, y, s) {
  const group = svg("g", { transform: `translate(${x} ${y})` }, parent);
  const inset = s < 12 ? 0.5 : 1;
  const side = s - 2 * inset;
  svg("rect", { x: inset, y: inset, width: side, height: side, rx: s / 8, class: "one" }, group);
  return group;
}

function keepInView(holder, x, y, width, height) {
  const box = document.getElementById(holder);
  const margin = 24;
  if (x - margin < box.scrollLeft) box.scrollLeft = x - margin;
  if (x + width + margin > box.scrollLeft + box.clientWidth) {
    box.scrollLeft = x + width + margin - box.clientWidth;
  }
  if (y - margin < box.scrollTop) box.scrollTop = y - margin;
  if (y + height + margin > box.scrollTop + box.clientHeight) {
    box.scrollTop = y + height + margin - box.clientHeight;
  }
}

// A list of numbers for a label that is read aloud.
function spoken(numbers) {
  if (!numbers.length) return "none";
  const shown = numbers.slice(0, 12).join(", ");
  return numbers.length > 12 ? `${shown} and ${numbers.length - 12} more` : shown;
}
