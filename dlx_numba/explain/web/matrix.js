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
  // The names of items and options are separate pictures, which stay visible while the matrix is
  // scrolled. Their corner has the names of the values.
  const corner = addPicture("matrix", 0, 0, "Names of the values", "matrix-corner");
  const head = addPicture("matrix", 0, 0, `Items, with their ${valueNames.join(", ")}`, "matrix-head");
  const names = addPicture("matrix", 0, 0, "Options", "matrix-names");
  const picture = addPicture("matrix", 0, 0, "", "matrix-entries");
  const valueY = (k) => headHeight - 7 - 14 * (valueNames.length - 1 - k);
  valueNames.forEach((name, k) => {
    svg("text", { x: left - 8, y: valueY(k), "text-anchor": "end", class: "value-name" }, corner, name);
  });
  // In an overview, the entries of each row are a single path, which takes the browser much less time.
  const rows = record.options.map((_, option) => {
    const row = svg("g", { "data-option": option }, picture);
    const band = svg("rect", { height: side }, row);
    const summary = svg("path", {}, row);
    const name = svg("g", {}, names);
    const label = svg("text", { x: left - 8, y: baseline, "text-anchor": "end" }, name);
    for (const group of [row, name]) svg("title", {}, group, `option ${optionTitles[option]}`);
    return { row, band, summary, name, label };
  });
  const columns = record.items.map((itemName, k) => {
    const column = svg("g", { "data-item": k + 1 }, picture);
    const band = svg("rect", { width: side }, column);
    const heading = svg("g", {}, head);
    const [x, y] = [side / 2, headHeight - valuesHeight];
    const turn = { x: x + 4, "text-anchor": "start", transform: `rotate(-90 ${x + 4} ${y})` };
    svg("text", { x, y, class: "name", ...(turnsNames ? turn : {}) }, heading, itemName);
    const values = valueNames.map((name, k) => svg("text", { x, y: valueY(k) }, heading));
    const description = [`item ${itemName}`, record.item_meanings[k]].filter(Boolean).join(": ");
    const titles = [column, heading].map((group) => svg("title", {}, group));
    return { column, heading, band, values, description, titles };
  });
  const entryLayer = svg("g", { class: "entries" }, picture);
  const entries = record.options.flatMap((_, option) => {
    const nodes = nodesOf(option);
    const items = new Set(nodes.map((node) => arrays.column[node]));
    const zeros = columns.map((_, k) => k + 1).filter((item) => isSmall && !items.has(item));
    return [...nodes.map((node) => addEntry(node, option)), ...zeros.map((item) => addZero(item, option))];
  });

  function addEntry(node, option) {
    const group = svg("g", { class: "entry", "data-node": node }, entryLayer);
    const box = { x: 1, y: 1, width: side - 2, height: side - 2, rx: side / 8 };
    svg("rect", { ...box, class: "box" }, group);
    svg("text", { x: side / 2, y: baseline }, group, entryText(node));
    const item = arrays.column[node];
    const color = colorOf(node) ? `, color ${colorName(node)}` : "";
    svg("title", {}, group, `option ${optionTitles[option]}\nitem ${record.items[item - 1]}${color}`);
    return { option, item, group };
  }

  function addZero(item, option) {
    const group = svg("g", { class: "zero" }, entryLayer);
    svg("text", { x: side / 2, y: baseline }, group, "0");
    return { option, item, group, isZero: true };
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
    const [xs, ys] = [[], []];
    let [x, y] = [0, 0];
    for (let item = 1; item <= nItems; item++) {
      // A gap separates the secondary items from the others.
      if (item === record.n_primary + 1) x += side / 2;
      if (!showsItem(item)) continue;
      xs[item] = x;
      x += side;
    }
    for (let option = 0; option < nOptions; option++) {
      if (!showsOption(option)) continue;
      ys[option] = y;
      y += side;
    }
    const layout = `${zoom} ${xs} ${ys}`;
    if (arranged === layout) return { xs, ys };
    arranged = layout;
    byId("matrix").classList.toggle("overview", !isReadable());
    const [width, height] = [x + 2, y + 2];
    for (const [part, partWidth, partHeight] of [
      [corner, left, headHeight], [head, width, headHeight], [names, left, height], [picture, width, height],
    ]) {
      const viewBox = `0 0 ${partWidth} ${partHeight}`;
      setAttributes(part, { width: Math.round(partWidth * zoom), height: Math.round(partHeight * zoom), viewBox });
    }
    const place = (group, x, y) => {
      const isVisible = x !== undefined && y !== undefined;
      setAttributes(group, { display: isVisible ? "inline" : "none" });
      if (isVisible) setAttributes(group, { transform: `translate(${x} ${y})` });
    };
    rows.forEach(({ row, band, summary, name }, option) => {
      place(row, 0, ys[option]);
      place(name, 0, ys[option]);
      setAttributes(band, { width: x });
      if (isReadable()) return;
      const shown = nodesOf(option).map((node) => xs[arrays.column[node]]).filter((x) => x !== undefined);
      const square = `v${side - 1}h${1 - side}z`;
      setAttributes(summary, { d: shown.map((x) => `M${x + 0.5} 0.5h${side - 1}${square}`).join("") });
    });
    columns.forEach(({ column, heading, band }, k) => {
      place(column, xs[k + 1], 0);
      place(heading, xs[k + 1], 0);
      setAttributes(band, { height: y });
    });
    for (const { option, item, group } of isReadable() ? entries : []) place(group, xs[item], ys[option]);
    return { xs, ys };
  }

  // Changes the zoom. A point of the matrix, relative to its size, moves to the center.
  function setZoom(value, point) {
    const panel = byId("matrix");
    const [x, y] = point ?? [
      (panel.scrollLeft + panel.clientWidth / 2) / panel.scrollWidth,
      (panel.scrollTop + panel.clientHeight / 2) / panel.scrollHeight,
    ];
    zoom = value;
    render();
    panel.scrollLeft = x * panel.scrollWidth - panel.clientWidth / 2;
    panel.scrollTop = y * panel.scrollHeight - panel.clientHeight / 2;
    byId("zoom-out").disabled = zoom === ZOOMS[0];
    byId("zoom-in").disabled = zoom === ZOOMS.at(-1);
  }
  const changeZoom = (steps) => () => setZoom(ZOOMS.at(ZOOMS.indexOf(zoom) + steps));
  byId("zoom-out").addEventListener("click", changeZoom(-1));
  byId("zoom-in").addEventListener("click", changeZoom(1));
  picture.addEventListener("click", ({ clientX, clientY }) => {
    if (isReadable()) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    setZoom(1, [(clientX - left) / width, (clientY - top) / height]);
  });

  function draw() {
    const states = optionStates();
    const focus = focusOfPhase();
    const { xs, ys } = arrange(visibleLines(states, focus));
    const optionsByState = { chosen: [], untried: [], active: [], removed: [] };
    const marks = states.map((_, option) => {
      if (focus?.option === option) return "selected";
      return focus?.related.has(option) ? "related" : "";
    });
    rows.forEach(({ row, name, label }, option) => {
      const [state, mark] = [states[option], marks[option]];
      optionsByState[state].push(references[option]);
      setAttributes(row, { class: `row ${state} ${mark}`.trim() });
      if (!isReadable()) return;
      setAttributes(name, { class: `row-name ${state} ${mark}`.trim() });
      setText(label, `${mark ? FOCUS_SYMBOLS[mark] : STATE_SYMBOLS[state]} ${shortReferences[option]}`);
    });
    const coveredItems = [];
    const changed = valueNames.map(changedCells);
    columns.forEach(({ column, heading, values, description, titles }, k) => {
      const item = k + 1;
      const covered = isCovered(item);
      const state = covered ? "covered" : purifierOf(item) !== 0 ? "purified" : "active";
      if (covered) coveredItems.push(record.items[k]);
      const current = steps[stepIndex].item === item ? " current" : "";
      const touched = focus?.items.has(item) ? " touched" : "";
      setAttributes(column, { class: `column ${state}${current}${touched}` });
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
    });
    for (const { option, item, group, isZero } of isReadable() ? entries : []) {
      if (isZero) continue;
      const clash = marks[option] === "related" && focus.items.has(item) ? " clash" : "";
      setAttributes(group, { class: `entry ${states[option]}${clash}` });
    }
    const options = Object.keys(STATE_LABELS).map(
      (state) => `${STATE_LABELS[state]}: ${joinForLabel(optionsByState[state])}`,
    );
    const items = `Covered items: ${joinForLabel(coveredItems)}.`;
    const only = isCondensed ? "Condensed matrix" : "Matrix";
    setAttributes(picture, { "aria-label": `${only}. Options ${options.join("; ")}. ${items}` });
    describeVisibleLines({ xs, ys });
    const last = focus && focus.option >= 0 ? focus.option : completedStep().chosen.at(-1);
    const x = xs[steps[stepIndex].item] ?? xs.find((value) => value !== undefined) ?? 0;
    const y = ys[last];
    if (y === undefined) return;
    // The names cover the left and upper part of the panel.
    const [width, height] = isReadable() ? [side + left, side + headHeight] : [side, side];
    scrollIntoView("matrix", x * zoom, y * zoom, width * zoom, height * zoom);
  }

  // A note below the condensed matrix if rows or columns are missing.
  function describeVisibleLines({ xs, ys }) {
    const [nRows, nColumns] = [ys, xs].map((positions) => Object.keys(positions).length);
    const shown = `Shown: ${plural(nRows, "row")} of ${nOptions}, ${plural(nColumns, "column")} of ${nItems}.`;
    byId("left-note").hidden = !isCondensed;
    setText(byId("left-note"), nRows + nColumns ? shown : "Nothing is left: all items are covered.");
  }

  return draw;
})();
