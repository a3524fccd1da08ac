// The matrix: one row per option, one column per item, marked by state. If it is condensed, only
// the rows and columns that are left are shown. It can be zoomed; if the entries are too small for
// text, neither names nor values are drawn.

const matrixView = (() => {
  const ZOOMS = [0.25, 0.4, 0.65, 1, 1.5, 2];
  const MIN_READABLE_SIDE = 14; // of an entry, in pixels
  const isSmall = nItems <= 72 && nOptions <= 72;
  const isTiny = nItems <= 16 && nOptions <= 20;
  const side = isTiny ? 30 : nItems <= 48 ? 22 : 18; // of an entry, without zoom
  const baseline = side / 2 + 5; // of the text in an entry
  // An overview of a wide matrix; the rows of a narrow one can be scrolled.
  let zoom = isSmall || nItems <= 40 ? 1 : nItems <= 140 ? ZOOMS[1] : ZOOMS[0];
  const isReadable = () => side * zoom >= MIN_READABLE_SIDE;
  const nameLength = Math.max(1, ...record.items.map((name) => name.length));
  const turnsNames = nameLength > 2;
  // The values below the name of each item.
  const itemValues = { size: (item) => String(sizeOf(item)) };
  if (arrays.need) {
    itemValues.need = (item) => (isPrimary(item) ? String(Math.max(0, arrays.need[item])) : "");
    itemValues.capacity = (item) => (isPrimary(item) ? formatCapacity(item) : "");
  }
  const valueNames = Object.keys(itemValues);
  const valuesHeight = 10 + 14 * valueNames.length;
  const headHeight = (turnsNames ? nameLength * 8 + 6 : 16) + valuesHeight;
  const left = Math.max(16 + 9 * (referenceWidth + 2), arrays.need ? 72 : 0);
  const headLabel =
    valueNames.length > 1 ? "Items, with their size, need and capacity" : "Items, with their size";
  // The names of items and options are separate pictures, which stay visible while the matrix is
  // scrolled. Their corner has the names of the values.
  const corner = svg("svg", { "aria-hidden": true, class: "matrix-corner" });
  byId("matrix").append(corner);
  const head = addPicture("matrix", 0, headHeight, headLabel);
  head.classList.add("matrix-head");
  const names = addPicture("matrix", left, 0, "Options");
  names.classList.add("matrix-names");
  const valueY = (k) => headHeight - 7 - 14 * (valueNames.length - 1 - k);
  if (valueNames.length > 1) {
    valueNames.forEach((name, k) => {
      const position = { x: left - 8, y: valueY(k), "text-anchor": "end" };
      svg("text", { ...position, class: "value-name" }, corner, name);
    });
  }
  const picture = addPicture("matrix", 0, 0, "");
  picture.classList.add("matrix-entries");
  const columns = [null];
  const rows = [];
  const entries = []; // and zeros, which have no state

  for (let option = 0; option < nOptions; option++) {
    const row = svg("g", { "data-option": option }, picture);
    const band = svg("rect", { x: 0, y: 0, height: side }, row);
    const name = svg("g", {}, names);
    const label = svg("text", { x: left - 8, y: baseline, "text-anchor": "end" }, name);
    for (const group of [band, name]) {
      svg("title", {}, group, `option ${references[option]}: ${record.options[option]}`);
    }
    rows.push({ row, band, name, label });
  }
  for (let item = 1; item <= nItems; item++) {
    const column = svg("g", {}, picture);
    const heading = svg("g", {}, head);
    const band = svg("rect", { x: 0, y: 0, width: side }, column);
    const center = side / 2;
    const y = headHeight - valuesHeight;
    const position = turnsNames
      ? { x: center + 4, y, "text-anchor": "start", transform: `rotate(-90 ${center + 4} ${y})` }
      : { x: center, y };
    svg("text", { ...position, class: "name" }, heading, record.items[item - 1]);
    const values = valueNames.map((name, k) =>
      svg("text", { x: center, y: valueY(k), class: `value ${name}` }, heading));
    const meaning = record.item_meanings[item - 1];
    const description = `item ${record.items[item - 1]}${meaning ? `: ${meaning}` : ""}`;
    const titles = [column, heading].map((group) => svg("title", {}, group, description));
    columns.push({ column, heading, band, values, description, titles });
  }
  function addEntry(option, item, group, text, isZero) {
    svg("text", { x: side / 2, y: baseline }, group, text);
    entries.push({ option, item, group, isZero });
  }
  // In an overview, each option is a single path, which takes the browser much less time.
  const overviewLayer = svg("g", { class: "overview-entries" }, picture);
  const overviews = rows.map(() => {
    const group = svg("g", {}, overviewLayer);
    return { group, path: svg("path", {}, group) };
  });
  const entryLayer = svg("g", { class: "entries" }, picture);
  for (let option = 0; option < nOptions; option++) {
    const zeros = new Set(isSmall ? columns.keys() : []);
    zeros.delete(0);
    for (const node of nodesOf(option)) {
      const item = arrays.column[node];
      const group = drawEntryBox(entryLayer, side);
      setAttributes(group, { class: "entry", "data-node": node });
      addEntry(option, item, group, entryText(node), false);
      const color = colorOf(node) ? `, color ${colorName(node)}` : "";
      const optionTitle = `option ${references[option]}: ${record.options[option]}`;
      svg("title", {}, group, `${optionTitle}\nitem ${record.items[item - 1]}${color}`);
      zeros.delete(item);
    }
    for (const item of zeros) addEntry(option, item, svg("g", { class: "zero" }, entryLayer), "0", true);
  }
  const leftNote = byId("left-note");
  addLegend();

  function addLegend() {
    const legend = byId("legend");
    for (const state of Object.keys(STATE_SYMBOLS)) {
      const sample = addSample(legend, `${STATE_SYMBOLS[state]} ${STATE_LABELS[state]}`);
      const group = drawEntryBox(sample, 22);
      group.setAttribute("class", `entry ${state}`);
      svg("text", { x: 11, y: 16 }, group, "1");
    }
    const box = { x: 1, y: 1, width: 20, height: 20 };
    svg("rect", { ...box, class: "sample covered" }, addSample(legend, "covered item"));
    for (const mark of Object.keys(FOCUS_SYMBOLS)) {
      const sample = addSample(legend, `${FOCUS_SYMBOLS[mark]} ${FOCUS_LABELS[mark]}`);
      sample.parentElement.className = "of-substeps";
      svg("rect", { ...box, class: `sample ${mark}` }, sample);
    }
  }

  // The rows and columns that are shown, by option and by item. A condensed matrix also has the
  // options that can be tried next, and those rows and columns that a sub-step is about to change.
  function visibleLines(states, focus) {
    if (!isCondensed) return { showsOption: () => true, showsItem: () => true };
    const { item } = steps[stepIndex];
    const isBranching = !focus && roleOf(steps[stepIndex]) === "cover";
    const isBefore = focus !== null && currentPhase().nChanges === 0;
    const showsOption = (option) =>
      isLeft(option) || (isBranching ? states[option] === "untried" : focus?.option === option);
    const showsItem = (other) =>
      !isCovered(other) ||
      isUnfinished(other) ||
      (isBranching && other === item) ||
      (isBefore && (other === item || focus.items.has(other)));
    return { showsOption, showsItem };
  }

  let arranged = null; // the rows and columns that are placed

  // Places the visible rows and columns. Returns their positions by option and by item.
  function arrange({ showsOption, showsItem }) {
    const xs = [];
    const ys = [];
    let x = 0;
    for (let item = 1; item <= nItems; item++) {
      // A gap separates the secondary items from the others.
      if (item === record.n_primary + 1) x += side / 2;
      if (!showsItem(item)) continue;
      xs[item] = x;
      x += side;
    }
    let y = 0;
    for (let option = 0; option < nOptions; option++) {
      if (!showsOption(option)) continue;
      ys[option] = y;
      y += side;
    }
    const layout = `${zoom} ${xs} ${ys}`;
    if (arranged === layout) return { xs, ys };
    arranged = layout;
    const width = x + 2;
    const height = y + 2;
    byId("matrix").classList.toggle("overview", !isReadable());
    const resize = (part, width, height) =>
      setAttributes(part, {
        width: Math.round(width * zoom),
        height: Math.round(height * zoom),
        viewBox: `0 0 ${width} ${height}`,
      });
    resize(corner, left, headHeight);
    resize(head, width, headHeight);
    resize(names, left, height);
    resize(picture, width, height);
    const place = (group, x, y) => {
      const isVisible = x !== undefined && y !== undefined;
      setAttributes(group, { display: isVisible ? "inline" : "none" });
      if (isVisible) setAttributes(group, { transform: `translate(${x} ${y})` });
    };
    rows.forEach(({ row, band, name }, option) => {
      place(row, 0, ys[option]);
      place(name, 0, ys[option]);
      setAttributes(band, { width: width - 2 });
    });
    for (let item = 1; item <= nItems; item++) {
      place(columns[item].column, xs[item], 0);
      place(columns[item].heading, xs[item], 0);
      setAttributes(columns[item].band, { height: height - 2 });
    }
    if (isReadable()) {
      for (const { option, item, group } of entries) place(group, xs[item], ys[option]);
    } else {
      overviews.forEach(({ group, path }, option) => {
        const shown = nodesOf(option).map((node) => xs[arrays.column[node]]).filter((x) => x !== undefined);
        const square = `v${side - 1}h${1 - side}z`;
        setAttributes(path, { d: shown.map((x) => `M${x + 0.5} 0.5h${side - 1}${square}`).join("") });
        place(group, shown.length ? 0 : undefined, ys[option]);
      });
    }
    return { xs, ys };
  }

  // Changes the zoom. The point (x, y) of the matrix, relative to its size, moves to the center.
  function setZoom(value, x = null, y = null) {
    const panel = byId("matrix");
    const centerX = (panel.scrollLeft + panel.clientWidth / 2) / panel.scrollWidth;
    const centerY = (panel.scrollTop + panel.clientHeight / 2) / panel.scrollHeight;
    zoom = value;
    draw();
    panel.scrollLeft = (x ?? centerX) * panel.scrollWidth - panel.clientWidth / 2;
    panel.scrollTop = (y ?? centerY) * panel.scrollHeight - panel.clientHeight / 2;
    const index = ZOOMS.indexOf(zoom);
    byId("zoom-out").disabled = index === 0;
    byId("zoom-in").disabled = index === ZOOMS.length - 1;
  }
  const changeZoom = (steps) => () => setZoom(ZOOMS.at(ZOOMS.indexOf(zoom) + steps));
  byId("zoom-out").addEventListener("click", changeZoom(-1));
  byId("zoom-in").addEventListener("click", changeZoom(1));
  picture.addEventListener("click", ({ clientX, clientY }) => {
    if (isReadable()) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    setZoom(1, (clientX - left) / width, (clientY - top) / height);
  });

  function draw() {
    const states = optionStates();
    const focus = focusOfPhase();
    const lines = visibleLines(states, focus);
    const { xs, ys } = arrange(lines);
    const optionsByState = { chosen: [], untried: [], active: [], removed: [] };
    const marks = states.map((_, option) => {
      if (focus?.option === option) return "selected";
      return focus?.related.has(option) ? "related" : "";
    });
    states.forEach((state, option) => {
      optionsByState[state].push(references[option]);
      const { row, name, label } = rows[option];
      setClass(row, `row ${state} ${marks[option]}`.trim());
      if (!isReadable()) return;
      setClass(name, `row-name ${state} ${marks[option]}`.trim());
      const symbol = marks[option] ? FOCUS_SYMBOLS[marks[option]] : STATE_SYMBOLS[state];
      setText(label, `${symbol} ${shortReferences[option]}`);
    });
    const coveredItems = [];
    const changed = valueNames.map(changedCells);
    for (let item = 1; item <= nItems; item++) {
      const { column, heading, values, description, titles } = columns[item];
      const covered = isCovered(item);
      const state = covered ? "covered" : purifierOf(item) !== 0 ? "purified" : "active";
      if (covered) coveredItems.push(record.items[item - 1]);
      const current = steps[stepIndex].item === item ? " current" : "";
      const touched = focus?.items.has(item) ? " touched" : "";
      setAttributes(column, { class: `column ${state}${current}${touched}`, "data-item": item });
      setAttributes(heading, { class: `heading ${state}${touched}` });
      const texts = valueNames.map((name) => (covered ? "–" : itemValues[name](item)));
      const pairs = valueNames.map((name, k) => texts[k] && `${name} ${texts[k]}`);
      const status = covered ? "covered" : pairs.filter(Boolean).join(", ");
      for (const title of titles) setText(title, `${description}\n${status}`);
      values.forEach((value, k) => {
        setText(value, texts[k]);
        const isNew = !covered && changed[k].has(item);
        setAttributes(value, { class: `value ${valueNames[k]}${isNew ? " new" : ""}` });
      });
    }
    if (!isReadable()) {
      overviews.forEach(({ group }, option) => setClass(group, `summary ${states[option]}`));
    }
    for (const { option, item, group, isZero } of isReadable() ? entries : []) {
      if (isZero) continue;
      const clash = marks[option] === "related" && focus.items.has(item) ? " clash" : "";
      setClass(group, `entry ${states[option]}${clash}`);
    }
    const options = Object.keys(STATE_LABELS).map(
      (state) => `${STATE_LABELS[state]}: ${joinForLabel(optionsByState[state])}`,
    );
    const items = `Covered items: ${joinForLabel(coveredItems)}.`;
    const only = isCondensed ? "Condensed matrix" : "Matrix";
    setAttributes(picture, { "aria-label": `${only}. Options ${options.join("; ")}. ${items}` });
    describeVisibleLines(lines);
    const last = focus && focus.option >= 0 ? focus.option : completedStep().chosen.at(-1);
    const x = xs[steps[stepIndex].item] ?? xs.find((value) => value !== undefined) ?? 0;
    const y = ys[last];
    if (y === undefined) return;
    // The names cover the left and upper part of the panel.
    const [width, height] = isReadable() ? [side + left, side + headHeight] : [side, side];
    scrollIntoView("matrix", x * zoom, y * zoom, width * zoom, height * zoom);
  }

  // A note below the condensed matrix if rows or columns are missing.
  function describeVisibleLines({ showsOption, showsItem }) {
    const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
    const nRows = record.options.filter((_, option) => showsOption(option)).length;
    const nColumns = record.items.filter((_, k) => showsItem(k + 1)).length;
    const shown = `${count(nRows, "row")} of ${nOptions}, ${count(nColumns, "column")} of ${nItems}`;
    const empty = nRows + nColumns === 0;
    const text = empty ? "Nothing is left: all items are covered." : `Shown: ${shown}.`;
    leftNote.hidden = !isCondensed;
    setText(leftNote, text);
  }

  return draw;
})();
