// The covers found so far, as a list of buttons that go to their steps, and marks on the slider.

const coversView = (() => {
  const list = byId("covers");
  // Tab reaches one of the buttons, and the arrow keys reach the others.
  list.addEventListener("keydown", (event) => {
    const offset = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const index = buttons.indexOf(document.activeElement);
    if (!offset || index < 0) return;
    event.preventDefault();
    buttons[index + offset]?.focus();
  });

  // The options of a cover in order, or the symbols of the cells of a Sudoku.
  const symbols = record.picture?.symbols ?? [];
  const separator = !symbols.length ? " · " : symbols.some((symbol) => symbol.length > 1) ? " " : "";
  const covers = coverSteps.map((index) => {
    const chosen = [...steps[index].chosen].sort((a, b) => a - b);
    if (!symbols.length) return chosen.map((option) => references[option]);
    const cells = [...record.picture.givens, ...chosen.flatMap((option) => record.picture.options[option])];
    return cells.sort(([a], [b]) => a - b).map(([, symbol]) => symbol);
  });

  // The text of a cover. If it is long, it starts where it differs from the previous cover.
  function abbreviate(parts, k) {
    const MAX_WIDTH = 36;
    const text = parts.join(separator) || "no options";
    if (k === 0 || widthOf(text) <= MAX_WIDTH) return text;
    const start = parts.findIndex((part, i) => part !== covers[k - 1][i]);
    return start > 0 ? ["…", ...parts.slice(start)].join(separator) : text;
  }

  list.innerHTML = covers.map((parts, k) => {
    const cost = record.costs ? `Cost ${costOf(coverSteps[k])}: ` : "";
    const title = `Step ${coverSteps[k]}: ${parts.join(separator)}`;
    return tag("li", {}, tag("button", { title }, escapeText(cost + abbreviate(parts, k))));
  }).join("");
  const buttons = [...list.querySelectorAll("button")];
  buttons.forEach((button, k) => button.addEventListener("click", () => goToStep(coverSteps[k])));

  return function draw() {
    const shown = shownCover();
    const nFound = coverSteps.filter((index) => index <= completedIndex()).length;
    const nearest = shown < 0 ? Math.max(0, nFound - 1) : coverSteps.indexOf(shown);
    buttons.forEach((button, k) => {
      button.parentElement.hidden = k >= nFound;
      button.ariaCurrent = shown === coverSteps[k];
      button.tabIndex = k === nearest ? 0 : -1;
    });
    list.hidden = nFound === 0;
    const button = buttons[nearest];
    if (button) afterDrawing.push(() => (list.scrollTop = button.offsetTop - list.clientHeight / 2));
    const found = nFound ? plural(nFound, "cover") : "No covers";
    setText(byId("covers-note"), `${found} found${isEndOfSearch() ? "" : " so far"}.`);
  };
})();

// The cost of the options that a step has chosen, as text.
function costOf(index) {
  const costs = steps[index].chosen.map((option) => record.costs[option]);
  return costs.reduce((sum, cost) => sum + cost, 0).toLocaleString("en");
}

// The step that found the cover to show on the board, or -1. After the last step of a complete
// search, it is the last cover.
function shownCover() {
  const index = completedIndex();
  if (coverSteps.includes(index)) return index;
  return isEndOfSearch() && coverSteps.length ? coverSteps.at(-1) : -1;
}

// The chosen options, or those of the cover to show on the board.
const shownOptions = () => (shownCover() < 0 ? completedStep() : steps[shownCover()]).chosen;

// A note below the board that shows a cover.
function describeShownCover() {
  const cover = shownCover();
  byId("board-note").hidden = cover < 0;
  if (cover < 0) return;
  const cost = record.costs ? ` Its cost is ${costOf(cover)}.` : "";
  const number = coverSteps.indexOf(cover) + 1;
  setText(byId("board-note"), `Cover ${number} of ${coverSteps.length}, found in step ${cover}.${cost}`);
}

// Marks the positions of the covers on the slider.
function drawMarks() {
  const share = (index) => `${(100 * (firstPosition[index + 1] - 1)) / Math.max(1, lastPosition())}%`;
  byId("marks").innerHTML = coverSteps.map((index) => tag("line", { x1: share(index), x2: share(index), y1: 0, y2: "100%" })).join("");
}
