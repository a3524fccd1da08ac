// The covers, as a list of buttons that go to their steps, and marks on the slider. Of covers that
// have not been found yet, only the step is shown.

const coversView = (() => {
  const note = document.getElementById("covers-note");
  const list = document.getElementById("covers");
  const buttons = coverSteps.map((index) => {
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.title = `Go to step ${index}`;
    button.addEventListener("click", () => goToStep(index));
    entry.append(button);
    list.append(entry);
    return button;
  });
  list.hidden = coverSteps.length === 0;
  // Tab reaches one of the buttons, and the arrow keys reach the others.
  list.addEventListener("keydown", (event) => {
    const offset = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const index = buttons.indexOf(document.activeElement);
    if (!offset || index < 0) return;
    event.preventDefault();
    buttons[index + offset]?.focus();
  });

  // The options of a cover in order, or the symbols of the cells of a board.
  function describeCover(options) {
    const { board } = record;
    if (!board) return [...options].sort((a, b) => a - b).map((k) => references[k]).join(" · ") || "no options";
    const values = [...board.givens];
    for (const [cell, value] of options.map((k) => board.placements[k])) values[cell] = value;
    const separator = board.symbols.some((symbol) => symbol.length > 1) ? " " : "";
    return values.map((value) => board.symbols[value]).join(separator);
  }

  return function draw() {
    const shown = shownCover();
    const nFound = coverSteps.filter((index) => index <= completedIndex()).length;
    const nearest = shown < 0 ? Math.max(0, nFound - 1) : coverSteps.indexOf(shown);
    buttons.forEach((button, k) => {
      const index = coverSteps[k];
      const isCurrent = shown === index;
      const isFound = k < nFound;
      setText(button, isFound ? describeCover(steps[index].chosen) : `in step ${index}`);
      setAttributes(button, { class: isFound ? "found" : "later-cover", "aria-current": isCurrent });
      button.tabIndex = k === nearest ? 0 : -1;
      if (k === nearest) list.scrollTop = button.offsetTop - list.clientHeight / 2;
    });
    const found = `${nFound || "No"} cover${nFound === 1 ? "" : "s"}`;
    setText(note, stepIndex === steps.length - 1 ? `${found} found.` : `${found} found so far.`);
  };
})();

// The step that found the cover to show on the board, or -1. After the last step of a complete
// search, it is the last cover.
function shownCover() {
  const index = completedIndex();
  if (coverSteps.includes(index)) return index;
  const isEnd = record.is_complete && index === steps.length - 1;
  return isEnd && coverSteps.length ? coverSteps.at(-1) : -1;
}

// A note below the board that shows a cover.
function describeShownCover() {
  const note = document.getElementById("board-note");
  const cover = shownCover();
  const number = coverSteps.indexOf(cover) + 1;
  note.hidden = cover < 0;
  if (cover < 0) return;
  const { costs } = record;
  const sum = costs && steps[cover].chosen.reduce((total, option) => total + costs[option], 0);
  const cost = costs ? `. Its cost is ${sum.toLocaleString("en")}` : "";
  setText(note, `Cover ${number} of ${coverSteps.length}, found in step ${cover}${cost}.`);
}

// Marks the positions of the covers on the slider.
function drawMarks() {
  const picture = document.getElementById("marks");
  const last = Math.max(1, lastPosition());
  picture.replaceChildren();
  for (const index of coverSteps) {
    const x = `${(100 * (firstPosition[index] + lastPhase(index))) / last}%`;
    svg("line", { x1: x, x2: x, y1: 0, y2: "100%" }, picture);
  }
}
