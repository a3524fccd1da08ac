// A timetable, if the items are places at times, such as a room in a night. Chosen options are bars,
// those that can be tried are dashed, and what the sentence names has a thick border.

const timetableView = (() => {
  const { timetable, palette } = record;
  if (!timetable) return () => {};
  const MAX_FLAT_ROWS = 6; // of timetables above the matrix
  showBoardPanel(timetable.rows.length <= MAX_FLAT_ROWS);
  setText(document.querySelector("#board-panel h2"), "The timetable");
  const ownItems = record.options.map((_, option) => nodesOf(option).map((node) => arrays.column[node]));
  const nRows = timetable.rows.length;
  const screen = document.documentElement.clientWidth;
  const isNarrow = screen < 640;
  const characterWidth = isNarrow ? 6.2 : 7;
  const rowHeight = Math.max(12, Math.min(isNarrow ? 22 : 30, (isNarrow ? 330 : 520) / nRows));
  const nameWidth = Math.max(...timetable.rows.map(widthOf));
  const left = characterWidth * nameWidth + 8;
  const [top, right] = [20, 12];
  const unit = Math.min(60, ((isNarrow ? screen - 36 : 560) - left - right) / timetable.length);
  const width = left + unit * timetable.length + right;
  const picture = addPicture("board", width, top + nRows * rowHeight + 3, "");
  const style = `font-size: ${characterWidth / 0.6}px`;
  const yOf = (row) => top + row * rowHeight;
  drawAxis();
  timetable.rows.forEach((name, row) => {
    const place = { x: left - 6, y: yOf(row + 0.5), dy: "0.35em", "text-anchor": "end", style };
    svg("text", place, picture, name);
  });
  const bars = svg("g", {}, picture);
  addBoardLegend("Legend of the timetable", [
    ...timetable.legend.map(([color, meaning]) => ["chosen", color, meaning]),
    ["candidate", -1, "option that can be tried"],
  ]);

  function drawAxis() {
    for (let time = 0; time <= timetable.length; time++) {
      const x = left + time * unit;
      svg("line", { x1: x, x2: x, y1: top, y2: yOf(nRows), class: "thin" }, picture);
    }
    const widest = Math.max(...timetable.labels.map(([, text]) => widthOf(text)));
    const every = Math.ceil(((widest + 0.5) * characterWidth) / unit);
    timetable.labels.forEach(([time, text], k) => {
      if (k % every === 0) svg("text", { x: left + time * unit, y: top - 6, class: "axis", style }, picture, text);
    });
    for (let row = 0; row <= nRows; row++) {
      svg("line", { x1: left, x2: width - right, y1: yOf(row), y2: yOf(row), class: "thin" }, picture);
    }
  }

  // Draws a bar with its text, shortened to its width.
  function drawBar([row, start, end, text, color], kind) {
    const group = svg("g", { class: `bar ${kind}` }, bars);
    const [x, y, length] = [left + start * unit + 0.5, yOf(row) + 1.5, (end - start) * unit - 1];
    const fill = kind.startsWith("chosen") ? `fill: ${palette[color]}` : "";
    svg("rect", { x, y, width: length, height: rowHeight - 3, rx: 2, style: fill }, group);
    const capacity = Math.floor((length + 3) / characterWidth); // in characters
    const shortened = capacity > 2 ? `${text.slice(0, capacity - 1)}…` : "";
    const center = { x: x + length / 2, y: yOf(row + 0.5), dy: "0.35em" };
    svg("text", { ...center, style }, group, widthOf(text) <= capacity ? text : shortened);
    return group;
  }

  // The options that can be tried for the current item.
  function candidateOptions(states) {
    const { item, role } = completedStep();
    const isChoice = item && role === "choose";
    const isOpen = (option) => isChoice && states[option] === "active" && ownItems[option].includes(item);
    return [...states.keys()].filter((option) => states[option] === "untried" || isOpen(option));
  }

  return function draw() {
    const states = optionStates();
    const chosen = shownOptions();
    const { option: named, items: namedItems, lacking } = namedInSentence();
    const candidates = shownCover() < 0 ? candidateOptions(states) : [];
    // An option that was undone is shown once more.
    const isDrawn = named < 0 || chosen.includes(named) || candidates.includes(named);
    const listed = [
      ...chosen.map((option) => [option, "chosen"]),
      ...(isDrawn ? [] : [[named, "gone"]]),
      ...candidates.map((option) => [option, "candidate"]),
    ];
    bars.replaceChildren();
    listed.forEach(([option, kind], k) => {
      for (const [row, start, end, text, color] of timetable.option_bars[option]) {
        const bar = [row, start, end, text, color < 0 ? k % palette.length : color];
        const mark = option === named ? " named" : "";
        drawBar(bar, kind + mark).dataset.option = option;
      }
    });
    for (const item of namedItems) {
      if (named >= 0 && item !== lacking) continue;
      for (const bar of timetable.item_bars[item - 1]) drawBar(bar, "region named").dataset.item = item;
    }
    bars.append(...bars.querySelectorAll(".named")); // above the others
    const label = `Timetable: ${chosen.length} options chosen, ${candidates.length} that can be tried.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
