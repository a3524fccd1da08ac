// The steps of a deduction: a section for each, of which one is shown.

const sections = [...document.querySelectorAll("main section")];
const pieces = [...document.querySelectorAll("[data-piece]")]; // of the legend
const OWN_BUTTONS = {};
const OWN_KEYS = {};
let current = 0;

const position = () => current;
const lastPosition = () => sections.length - 1;
const fragment = () => `#step=${current + 1}`;
const goToUrlStep = (url) => go(() => moveToPosition(Number(new URL(url).hash.match(/\d+/) ?? 1) - 1));

function moveToPosition(target) {
  current = Math.max(0, Math.min(lastPosition(), target));
}

function render() {
  sections.forEach((section, k) => (section.hidden = k !== current));
  const sentence = sections[current].querySelector("p");
  if (byId("sentence").innerHTML !== sentence.innerHTML) byId("sentence").innerHTML = sentence.innerHTML;
  const placed = JSON.parse(sections[current].dataset.placed);
  for (const piece of pieces) piece.classList.toggle("placed", placed.includes(piece.dataset.piece));
  setText(byId("step-count"), `${current + 1} of ${sections.length}`);
  renderPosition(`step ${current + 1}`, sentence.textContent);
}
