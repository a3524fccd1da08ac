// The matrix: one row per option, one column per item, marked by state.

const matrixView = (() => {
  const showsText = nItems <= 72 && nOptions <= 72;
  const isTiny = nItems <= 16 && nOptions <= 20;
  const sideWithText = nItems <= 48 ? 22 : 18;
  const sideWithoutText = nItems <= 140 ? 8 : 5;
  const side = isTiny ? 30 : showsText ? sideWithText : sideWithoutText; // of an entry
  const baseline = side / 2 + 5; // of the text in an entry
  const isNarrow = nItems <= 16 && !record.board;
  document.body.className = isNarrow ? "narrow" : record.board ? "wide" : "wide no-board";
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
  const headHeight = showsText ? (turnsNames ? nameLength * 8 + 6 : 16) + valuesHeight : 0;
  const labelWidth = Math.max(16 + 9 * (String(nOptions).length + 2), arrays.need ? 72 : 0);
  const left = showsText ? labelWidth : 0;
  const gap = record.n_primary < nItems ? side / 2 : 0; // before the secondary items
  const xOf = (item) => left + (item - 1) * side + (isPrimary(item) ? 0 : gap);
  const yOf = (option) => option * side;
  const width = left + nItems * side + gap + 2;
  const height = nOptions * side + 2;
  const headLabel =
    valueNames.length > 1 ? "Items, with their size, need and capacity" : "Items, with their size";
  // The head is a separate picture, which stays visible while the matrix is scrolled.
  const head = addPicture("matrix", width, headHeight, headLabel);
  head.classList.add("matrix-head");
  if (!showsText) head.remove();
  const valueY = (k) => headHeight - 7 - 14 * (valueNames.length - 1 - k);
  if (valueNames.length > 1) {
    valueNames.forEach((name, k) => {
      const position = { x: left - 8, y: valueY(k), "text-anchor": "end" };
      svg("text", { ...position, class: "value-name" }, head, name);
    });
  }
  const picture = addPicture("matrix", width, height, "");
  const columns = [null];
  const rows = [];
  const entries = [];

  for (let option = 0; option < nOptions; option++) {
    const y = yOf(option);
    const row = svg("g", {}, picture);
    const band = svg("rect", { x: left, y, width: width - left - 2, height: side }, row);
    const label = showsText
      ? svg("text", { x: left - 8, y: y + baseline, "text-anchor": "end" }, row)
      : null;
    svg("title", {}, band, `option ${option}: ${record.options[option]}`);
    rows.push({ row, label });
  }
  for (let item = 1; item <= nItems; item++) {
    const x = xOf(item);
    const column = svg("g", {}, picture);
    const heading = svg("g", {}, head);
    svg("rect", { x, y: 0, width: side, height: height - 2 }, column);
    let values = [];
    if (showsText) {
      const center = x + side / 2;
      const y = headHeight - valuesHeight;
      const position = turnsNames
        ? { x: center + 4, y, "text-anchor": "start", transform: `rotate(-90 ${center + 4} ${y})` }
        : { x: center, y, "text-anchor": "middle" };
      svg("text", { ...position, class: "name" }, heading, record.items[item - 1]);
      values = valueNames.map((name, k) => {
        const below = { x: center, y: valueY(k), "text-anchor": "middle" };
        return svg("text", { ...below, class: `value ${name}` }, heading);
      });
    }
    const meaning = record.item_meanings[item - 1];
    const description = `item ${record.items[item - 1]}${meaning ? `: ${meaning}` : ""}`;
    const titles = [column, heading].map((group) => svg("title", {}, group, description));
    columns.push({ column, heading, values, description, titles });
  }
  const hasEntry = new Set();
  for (let node = nItems + 1; node < nNodes; node++) {
    const item = arrays.column[node];
    const option = optionOf[node];
    const group = drawEntryBox(picture, xOf(item), yOf(option), side);
    group.setAttribute("data-node", node);
    const position = { x: side / 2, y: baseline, "text-anchor": "middle" };
    if (showsText) svg("text", position, group, entryText(node));
    const color = colorOf(node) ? `, color ${colorName(node)}` : "";
    const optionTitle = `option ${option}: ${record.options[option]}`;
    svg("title", {}, group, `${optionTitle}\nitem ${record.items[item - 1]}${color}`);
    hasEntry.add(option * (nItems + 1) + item);
    entries.push({ option, group });
  }
  if (showsText) {
    for (let option = 0; option < nOptions; option++) {
      for (let item = 1; item <= nItems; item++) {
        if (hasEntry.has(option * (nItems + 1) + item)) continue;
        const x = xOf(item) + side / 2;
        const y = yOf(option) + baseline;
        svg("text", { x, y, "text-anchor": "middle", class: "zero" }, picture, "0");
      }
    }
  }
  addLegend();

  function addLegend() {
    const legend = document.getElementById("legend");
    const addSample = (label) => {
      const sample = svg("svg", { width: 22, height: 22, "aria-hidden": "true" });
      const entry = document.createElement("li");
      entry.append(sample, ` ${label}`);
      legend.append(entry);
      return sample;
    };
    for (const state of Object.keys(STATE_SYMBOLS)) {
      const sample = addSample(`${STATE_SYMBOLS[state]} ${STATE_LABELS[state]}`);
      const group = drawEntryBox(sample, 0, 0, 22);
      group.setAttribute("class", `entry ${state}`);
      svg("text", { x: 11, y: 16, "text-anchor": "middle" }, group, "1");
    }
    const box = { x: 1, y: 1, width: 20, height: 20, class: "sample covered" };
    svg("rect", box, addSample("covered item"));
  }

  return function draw() {
    const states = optionStates();
    const optionsByState = { chosen: [], untried: [], active: [], removed: [] };
    states.forEach((state, option) => {
      optionsByState[state].push(option);
      const { row, label } = rows[option];
      setAttributes(row, { class: `row ${state}`, "data-option": option });
      if (label) setText(label, `${STATE_SYMBOLS[state]} ${option}`);
    });
    const coveredItems = [];
    const changed = valueNames.map(changedCells);
    for (let item = 1; item <= nItems; item++) {
      const { column, heading, values, description, titles } = columns[item];
      const covered = isCovered(item);
      const state = covered ? "covered" : purifierOf(item) !== 0 ? "purified" : "active";
      if (covered) coveredItems.push(record.items[item - 1]);
      const current = steps[stepIndex].item === item ? " current" : "";
      setAttributes(column, { class: `column ${state}${current}`, "data-item": item });
      setAttributes(heading, { class: `heading ${state}` });
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
    for (const { option, group } of entries) {
      setAttributes(group, { class: `entry ${states[option]}` });
    }
    const options = Object.keys(STATE_LABELS).map(
      (state) => `${STATE_LABELS[state]}: ${joinForLabel(optionsByState[state])}`,
    );
    const items = `Covered items: ${joinForLabel(coveredItems)}.`;
    setAttributes(picture, { "aria-label": `Matrix. Options ${options.join("; ")}. ${items}` });
    const last = steps[stepIndex].chosen.at(-1);
    if (last !== undefined) scrollIntoView("matrix", 0, yOf(last), 1, side + headHeight);
  };
})();
