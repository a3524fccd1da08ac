// A timetable, if the items are places at times, such as a room in a night, or flights. Chosen
// options are bars, those that can be tried are dashed, and what the sentence names has a thick
// border. If places have no rows, each chosen option has one, and the items that are left are below.

const timetableView = (() => {
  const { timetable } = record;
  if (!timetable) return () => {};
  const MAX_FLAT_ROWS = 6; // of timetables above the matrix
  showBoardPanel(timetable.rows?.length <= MAX_FLAT_ROWS);
  setText(document.querySelector("#board-panel h2"), "The timetable");
  const GAP = 0.5; // above the items that are left, in rows
  const ownItems = record.options.map((_, option) => nodesOf(option).map((node) => arrays.column[node]));
  const hasOwnRows = timetable.rows === null; // of each chosen option
  const { nOptionRows, nRows } = countRows();
  const screen = document.documentElement.clientWidth;
  const isNarrow = screen < 640;
  const characterWidth = !isNarrow ? 7 : hasOwnRows ? 5.4 : 6.2; // bars of flights are short
  const rowHeight = Math.max(12, Math.min(isNarrow ? 22 : 30, (isNarrow ? 330 : 520) / nRows));
  const nameWidth = Math.max(...(timetable.rows ?? [...shortReferences, "left"]).map(widthOf));
  const left = characterWidth * (nameWidth + (hasOwnRows ? 2 : 0)) + 8;
  const top = 20;
  const right = 12;
  const unit = Math.min(60, ((isNarrow ? screen - 36 : 560) - left - right) / timetable.length);
  const width = left + unit * timetable.length + right;
  const height = top + nRows * rowHeight + 3;
  const picture = addPicture("board", width, height, "");
  const style = `font-size: ${characterWidth / 0.6}px`;
  const yOf = (row) => top + row * rowHeight;
  drawAxis();
  const rowNames = Array.from({ length: nOptionRows }, (_, row) => addRowName(row));
  if (hasOwnRows) setText(addRowName(nOptionRows + GAP), "left");
  else timetable.rows.forEach((name, row) => setText(rowNames[row], name));
  const bars = svg("g", {}, picture);
  addLegend();

  // The number of rows of options, and of all rows: enough for all steps.
  function countRows() {
    if (!hasOwnRows) return { nOptionRows: timetable.rows.length, nRows: timetable.rows.length };
    const counts = steps.map((step) => {
      const nCandidates = roleOf(step) === "choose" ? treeNodes[step.tree_node].size : 0;
      return step.chosen.length + nCandidates;
    });
    const nOptionRows = Math.max(1, ...counts);
    const nLanes = 1 + Math.max(...timetable.item_bars.map(([row]) => row));
    return { nOptionRows, nRows: nOptionRows + GAP + nLanes };
  }

  function drawAxis() {
    const end = yOf(nRows);
    for (let time = 0; time <= timetable.length; time++) {
      const x = left + time * unit;
      svg("line", { x1: x, x2: x, y1: top, y2: end, class: "thin" }, picture);
    }
    const widest = Math.max(...timetable.labels.map(([, text]) => widthOf(text)));
    const every = Math.ceil(((widest + 0.5) * characterWidth) / unit);
    timetable.labels.forEach(([time, text], k) => {
      if (k % every) return;
      svg("text", { x: left + time * unit, y: top - 6, class: "axis", style }, picture, text);
    });
    for (let row = 0; !hasOwnRows && row <= nRows; row++) {
      const horizontal = { x1: left, x2: width - right, y1: yOf(row), y2: yOf(row) };
      svg("line", { ...horizontal, class: "thin" }, picture);
    }
  }

  function addRowName(row) {
    const place = { x: left - 6, y: yOf(row + 0.5), dy: "0.35em", "text-anchor": "end", style };
    return svg("text", place, picture);
  }

  function addLegend() {
    const sampleOf = (kind, color = -1) => (sample, place) =>
      drawBar([0, 0, 0, "", color], kind, sample, place);
    const entries = timetable.legend.map(([color, meaning]) => [sampleOf("chosen", color), meaning]);
    entries.push([sampleOf("candidate"), "option that can be tried"]);
    if (hasOwnRows) entries.push([sampleOf("left"), "item that is left"]);
    addBoardLegend("Legend of the timetable", entries);
  }

  const placeOf = ([, start, end], row) => ({
    x: left + start * unit + 0.5,
    y: yOf(row) + 1.5,
    width: (end - start) * unit - 1,
    height: rowHeight - 3,
  });

  // Draws a bar with its text, shortened to its width.
  function drawBar([, , , text, color], kind, parent, place) {
    const group = svg("g", { class: `bar ${kind}` }, parent);
    const rectangle = svg("rect", { ...place, rx: 2 }, group);
    if (kind.startsWith("chosen")) rectangle.style.fill = record.palette[color];
    const capacity = Math.floor((place.width + 3) / characterWidth); // in characters
    const shortened = capacity > 2 ? `${text.slice(0, capacity - 1)}…` : "";
    const shown = widthOf(text) <= capacity ? text : shortened;
    const center = { x: place.x + place.width / 2, y: place.y + place.height / 2, dy: "0.35em" };
    if (shown) svg("text", { ...center, style }, group, shown);
    return group;
  }

  // The options that can be tried for the current item.
  function candidateOptions(states) {
    const { item } = completedStep();
    const isChoice = item && roleOf(completedStep()) === "choose";
    return [...states.keys()].filter((option) =>
      states[option] === "untried" ||
      (isChoice && states[option] === "active" && ownItems[option].includes(item)));
  }

  return function draw() {
    const states = optionStates();
    const chosen = shownOptions();
    const { option: named, items: namedItems, lacking } = namedInSentence();
    const candidates = shownCover() < 0 ? candidateOptions(states) : [];
    // An option that was undone is shown once more.
    const isDrawn = named < 0 || chosen.includes(named) || candidates.includes(named);
    const others = isDrawn ? [] : [named];
    bars.replaceChildren();
    const drawOption = (option, kind, k) => {
      for (const [row, start, end, text, color] of timetable.option_bars[option]) {
        const bar = [row, start, end, text, color < 0 ? k % record.palette.length : color];
        const mark = option === named ? `${kind} named` : kind;
        const group = drawBar(bar, mark, bars, placeOf(bar, hasOwnRows ? k : row));
        group.dataset.option = option;
      }
    };
    const listed = [
      ...chosen.map((option) => [option, "chosen", "✓"]),
      ...others.map((option) => [option, "gone", "×"]),
      ...candidates.map((option) => [option, "candidate", "?"]),
    ];
    const shown = hasOwnRows ? listed.slice(0, nOptionRows) : listed;
    shown.forEach(([option, kind], k) => drawOption(option, kind, k));
    if (hasOwnRows) {
      rowNames.forEach((name, row) => {
        const [option, , symbol] = shown[row] ?? [];
        setText(name, symbol ? `${symbol} ${shortReferences[option]}` : "");
      });
    }
    const covered = new Set(chosen.flatMap((option) => ownItems[option]));
    timetable.item_bars.forEach((bar, k) => {
      if (!bar) return;
      const isNamed = namedItems.has(k + 1);
      if (hasOwnRows ? covered.has(k + 1) : !isNamed || (named >= 0 && k + 1 !== lacking)) return;
      const kind = `${hasOwnRows ? "left" : "region"}${isNamed ? " named" : ""}`;
      const row = hasOwnRows ? nOptionRows + GAP + bar[0] : bar[0];
      drawBar(bar, kind, bars, placeOf(bar, row)).dataset.item = k + 1;
    });
    bars.append(...bars.querySelectorAll(".named")); // above the others
    const label = `Timetable: ${chosen.length} options chosen, ${candidates.length} that can be tried.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
