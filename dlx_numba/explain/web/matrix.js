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
    const description = `item ${itemName}`;
    const titles = [column, heading].map((group) => svg("title", {}, group));
    return { column, heading, band, values, description, titles };
  });
  const entryLayer = svg("g", { class: "entries" }, picture);
  // A small matrix also has zeros, which are entries without a node.
  const entries = record.options.flatMap((_, option) => {
    const nodes = new Map(nodesOf(option).map((node) => [arrays.column[node], node]));
    const items = isSmall ? columns.map((_, k) => k + 1) : [...nodes.keys()];
    return items.map((item) => addEntry(option, item, nodes.get(item)));
  });

  function addEntry(option, item, node) {
    const group = svg("g", node ? { class: "entry", "data-node": node } : { class: "zero" }, entryLayer);
    const place = { x: side / 2, y: baseline };
    if (node) {
      const box = { x: 1, y: 1, width: side - 2, height: side - 2, rx: side / 8 };
      svg("rect", { ...box, class: "box" }, group);
      const color = colorOf(node) ? `, color ${colorName(node)}` : "";
      svg("title", {}, group, `option ${optionTitles[option]}\nitem ${record.items[item - 1]}${color}`);
    }
    svg("text", place, group, node ? entryText(node) : "0");
    return { option, item, node, group };
  }

  let placed = null; // the rows and columns that are placed

  // Places the rows and columns that are shown. Returns their positions by option and by item. A
  // condensed matrix has those that are left, the options that can be tried next, and the rows and
  // columns that a sub-step is about to change.
  function arrange(states, focus) {
    const { item: current, role } = steps[stepIndex];
    const isBranching = !focus && role === "cover";
    const isBefore = focus !== null && currentPhase().nChanges === 0;
    const showsOption = (option) =>
      isLeft(option) || (isBranching ? states[option] === "untried" : focus?.option === option);
    const showsItem = (item) =>
      !isCovered(item) ||
      isUnfinished(item) ||
      ((isBranching || isBefore) && item === current) ||
      (isBefore && focus.items.has(item));
    const [xs, ys] = [[], []];
    let [x, y] = [0, 0];
    for (let item = 1; item <= nItems; item++) {
      // A gap separates the secondary items from the others.
      if (item === record.n_primary + 1) x += side / 2;
      if (isCondensed && !showsItem(item)) continue;
      xs[item] = x;
      x += side;
    }
    for (let option = 0; option < nOptions; option++) {
      if (isCondensed && !showsOption(option)) continue;
      ys[option] = y;
      y += side;
    }
    const layout = `${zoom} ${xs} ${ys}`;
    if (placed === layout) return { xs, ys };
    placed = layout;
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

  return () => {
    const states = optionStates();
    const focus = focusOfPhase();
    const { xs, ys } = arrange(states, focus);
    const marks = states.map((_, option) => {
      if (focus?.option === option) return "selected";
      return focus?.related.has(option) ? "related" : "";
    });
    rows.forEach(({ row, name, label }, option) => {
      const [state, mark] = [states[option], marks[option]];
      setAttributes(row, { class: `row ${state} ${mark}`.trim() });
      if (!isReadable()) return;
      setAttributes(name, { class: `row-name ${state} ${mark}`.trim() });
      setText(label, `${mark ? FOCUS_SYMBOLS[mark] : STATE_SYMBOLS[state]} ${shortReferences[option]}`);
    });
    const changed = valueNames.map(changedCells);
    columns.forEach(({ column, heading, values, description, titles }, k) => {
      const item = k + 1;
      const covered = isCovered(item);
      const state = covered ? "covered" : purifierOf(item) !== 0 ? "purified" : "active";
      const current = steps[stepIndex].item === item;
      const touched = focus?.items.has(item);
      setAttributes(column, { class: namesOf({ column: true, [state]: true, current, touched }) });
      setAttributes(heading, { class: namesOf({ heading: true, [state]: true, touched }) });
      const texts = valueNames.map((name) => (covered ? "–" : itemValues[name](item)));
      const pairs = valueNames.map((name, k) => texts[k] && `${name} ${texts[k]}`);
      const status = covered ? "covered" : pairs.filter(Boolean).join(", ");
      for (const title of titles) setText(title, `${description}\n${status}`);
      values.forEach((value, k) => {
        setText(value, texts[k]);
        const isNew = !covered && changed[k].has(item);
        setAttributes(value, { class: namesOf({ value: true, [valueNames[k]]: true, new: isNew }) });
      });
    });
    for (const { option, item, node, group } of isReadable() ? entries : []) {
      if (!node) continue;
      const clash = marks[option] === "related" && focus.items.has(item);
      setAttributes(group, { class: namesOf({ entry: true, [states[option]]: true, clash }) });
    }
    const options = Object.keys(STATE_SYMBOLS).map((state) =>
      `${state}: ${joinForLabel(references.filter((_, option) => states[option] === state))}`);
    const items = joinForLabel(record.items.filter((_, k) => isCovered(k + 1)));
    const label = `${isCondensed ? "Condensed matrix" : "Matrix"}. Options ${options.join("; ")}. Covered items: ${items}.`;
    setAttributes(picture, { "aria-label": label });
    const [nRows, nColumns] = [ys, xs].map((positions) => Object.keys(positions).length);
    byId("left-note").hidden = !isCondensed;
    setText(byId("left-note"), `Shown: ${plural(nRows, "row")} of ${nOptions}, ${plural(nColumns, "column")} of ${nItems}.`);
    const x = xs[steps[stepIndex].item] ?? xs.find((value) => value !== undefined) ?? 0;
    const y = ys[focus?.option >= 0 ? focus.option : completedStep().chosen.at(-1)];
    if (y === undefined) return;
    // The names cover the left and upper part of the panel.
    const [width, height] = isReadable() ? [side + left, side + headHeight] : [side, side];
    scrollIntoView("matrix", x * zoom, y * zoom, width * zoom, height * zoom);
  };
})();
