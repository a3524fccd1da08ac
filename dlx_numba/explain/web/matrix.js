// The matrix: one row per option, one column per item, marked by state. If it is condensed, only
// the rows and columns that are left are shown.

const matrixView = (() => {
  const MAX_ENTRIES = 10000; // so that a step takes a browser less than 0.5 s
  byId("matrix-panel").hidden = nNodes > MAX_ENTRIES; // the panel of the arrays says why
  byId("no-matrix-note").hidden = nNodes <= MAX_ENTRIES;
  if (nNodes > MAX_ENTRIES) return () => {};
  const isSmall = nItems <= 72 && nOptions <= 72;
  const side = nItems <= 16 && nOptions <= 20 ? 30 : nItems <= 48 ? 22 : 18; // of an entry
  const nameLength = Math.max(1, ...record.items.map((name) => name.length));
  // The values below the name of each item.
  const itemValues = { size: (item) => String(sizeOf(item)) };
  if (arrays.need) {
    itemValues.need = (item) => (isPrimary(item) ? String(Math.max(0, arrays.need[item])) : "");
    itemValues.capacity = (item) => (isPrimary(item) ? formatCapacity(item) : "");
  }
  const valueNames = Object.keys(itemValues);
  const namesHeight = nameLength > 2 ? nameLength * 8 + 6 : 16;
  const valueY = (k) => namesHeight + 17 + 14 * k;
  const headHeight = valueY(valueNames.length - 1) + 7;
  const left = Math.max(16 + 9 * (referenceWidth + 2), arrays.need ? 72 : 0);
  // The names of items and options are separate pictures, which stay visible while the matrix is
  // scrolled. Their corner has the names of the values.
  const [corner, head, names, picture] = ["corner", "head", "names", "entries"].map((part) => addPicture("matrix", 0, 0, "", `matrix-${part}`));
  setAttributes(corner, { "aria-label": "Names of the values" });
  setAttributes(head, { "aria-label": `Items, with their ${valueNames.join(", ")}` });
  setAttributes(names, { "aria-label": "Options" });
  const inEntry = { x: side / 2, y: side / 2 + 5 };
  valueNames.forEach((name, k) => svg("text", { x: left - 8, y: valueY(k), "text-anchor": "end", class: "value-name" }, corner, name));
  const rows = record.options.map((_, option) => {
    const row = svg("g", { "data-option": option }, picture);
    const band = svg("rect", { height: side }, row);
    const name = svg("g", {}, names);
    const label = svg("text", { x: left - 8, y: inEntry.y, "text-anchor": "end" }, name);
    for (const group of [row, name]) svg("title", {}, group, `option ${optionTitles[option]}`);
    return { row, band, name, label };
  });
  const columns = record.items.map((itemName, k) => {
    const column = svg("g", { "data-item": k + 1 }, picture);
    const band = svg("rect", { width: side }, column);
    const heading = svg("g", {}, head);
    const [x, y] = [side / 2, namesHeight];
    const turn = { x: x + 4, "text-anchor": "start", transform: `rotate(-90 ${x + 4} ${y})` };
    svg("text", { x, y, class: "name", ...(nameLength > 2 ? turn : {}) }, heading, itemName);
    const values = valueNames.map((_, k) => svg("text", { x, y: valueY(k) }, heading));
    return { column, heading, band, values, titles: [column, heading].map((group) => svg("title", {}, group)) };
  });
  const entryLayer = svg("g", {}, picture);
  // A small matrix also has zeros, which are entries without a node.
  const entries = record.options.flatMap((_, option) => {
    const nodes = new Map(nodesOf(option).map((node) => [arrays.column[node], node]));
    const items = isSmall ? columns.map((_, k) => k + 1) : [...nodes.keys()];
    return items.map((item) => addEntry(option, item, nodes.get(item)));
  });

  function addEntry(option, item, node) {
    const group = svg("g", node ? { class: "entry", "data-node": node } : { class: "zero" }, entryLayer);
    if (node) {
      svg("rect", { x: 1, y: 1, width: side - 2, height: side - 2, rx: side / 8, class: "box" }, group);
      const color = colorOf(node) ? `, color ${colorName(node)}` : "";
      svg("title", {}, group, `option ${optionTitles[option]}\nitem ${record.items[item - 1]}${color}`);
    }
    svg("text", inEntry, group, node ? entryText(node) : "0");
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
    const showsOption = (option) => isLeft(option) || (isBranching ? states[option] === "untried" : focus?.option === option);
    const showsItem = (item) =>
      !isCovered(item) || isUnfinished(item) || ((isBranching || isBefore) && item === current) || (isBefore && focus.items.has(item));
    // A gap separates the secondary items from the others.
    const [xs, width] = positionsOf(nItems + 1, (item) => item && (!isCondensed || showsItem(item)), record.n_primary + 1);
    const [ys, height] = positionsOf(nOptions, (option) => !isCondensed || showsOption(option));
    const layout = `${xs} ${ys}`;
    if (placed === layout) return { xs, ys };
    placed = layout;
    for (const [part, w, h] of [[corner, left, headHeight], [head, width, headHeight], [names, left, height], [picture, width, height]]) {
      setAttributes(part, { width: w, height: h, viewBox: `0 0 ${w} ${h}` });
    }
    const place = (group, x, y) => {
      const isVisible = x !== undefined && y !== undefined;
      setAttributes(group, { display: isVisible ? "inline" : "none", ...(isVisible && { transform: `translate(${x} ${y})` }) });
    };
    rows.forEach(({ row, band, name }, option) => {
      for (const group of [row, name]) place(group, 0, ys[option]);
      setAttributes(band, { width: width - 2 });
    });
    columns.forEach(({ column, heading, band }, k) => {
      for (const group of [column, heading]) place(group, xs[k + 1], 0);
      setAttributes(band, { height: height - 2 });
    });
    for (const { option, item, group } of entries) place(group, xs[item], ys[option]);
    return { xs, ys };
  }

  // The positions of the rows or columns that are shown, and the size of all; one may have a gap before.
  function positionsOf(count, isShown, afterGap) {
    const positions = [];
    let end = 0;
    for (let k = 0; k < count; k++) {
      if (k === afterGap) end += side / 2;
      if (!isShown(k)) continue;
      positions[k] = end;
      end += side;
    }
    return [positions, end + 2];
  }

  return () => {
    const states = optionStates();
    const focus = focusOfPhase();
    const { xs, ys } = arrange(states, focus);
    rows.forEach(({ row, name, label }, option) => {
      const state = states[option];
      const mark = focus?.option === option ? "selected" : focus?.related.has(option) ? "related" : "";
      setAttributes(row, { class: `row ${state} ${mark}`.trim() });
      setAttributes(name, { class: `row-name ${state} ${mark}`.trim() });
      setText(label, `${mark ? FOCUS_SYMBOLS[mark] : STATE_SYMBOLS[state]} ${shortReferences[option]}`);
    });
    const changed = valueNames.map(changedCells);
    columns.forEach(({ column, heading, values, titles }, k) => {
      const item = k + 1;
      const covered = isCovered(item);
      const kinds = { [covered ? "covered" : purifierOf(item) !== 0 ? "purified" : "active"]: true, touched: focus?.items.has(item) };
      setAttributes(column, { class: namesOf({ column: true, ...kinds, current: steps[stepIndex].item === item }) });
      setAttributes(heading, { class: namesOf({ heading: true, ...kinds }) });
      const texts = valueNames.map((name) => (covered ? "–" : itemValues[name](item)));
      const status = valueNames.map((name, k) => texts[k] && `${name} ${texts[k]}`).filter(Boolean).join(", ");
      for (const title of titles) setText(title, `item ${record.items[k]}\n${covered ? "covered" : status}`);
      values.forEach((value, k) => {
        setText(value, texts[k]);
        setAttributes(value, { class: namesOf({ value: true, [valueNames[k]]: true, new: !covered && changed[k].has(item) }) });
      });
    });
    for (const { option, item, node, group } of entries) {
      const clash = focus?.related.has(option) && focus.items.has(item);
      if (node) setAttributes(group, { class: namesOf({ entry: true, [states[option]]: true, clash }) });
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
    // The names cover the left and upper part of the panel.
    if (y !== undefined) scrollIntoView("matrix", x, y, side + left, side + headHeight);
  };
})();
