// Elements of the page.

const byId = (id) => document.getElementById(id);

// A text is written only if it differs, which keeps the page responsive.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
