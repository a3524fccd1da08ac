// The matrix: one row per option, one column per item, marked by state. If it is condensed, only
// the rows and columns that are left are shown.

const matrixView = (() => {
  const MAX_ENTRIES = 10000; // so that a step takes a browser less than 0.5 s
  byId("matrix-panel").hidden = nNodes > MAX_ENTRIES; // the panel of the arrays says why
  byId("no-matrix-note").hidden = nNodes <= MAX_ENTRIES;
  if (nNodes > MAX_ENTRIES) return () => {};
  const isSmall = nItems <= 72 && nOptions <= 72; // such a matrix also has zeros
  const side = nItems <= 16 && nOptions <= 20 ? 30 : nItems <= 48 ? 22 : 18; // of an entry
  const [middle, baseline] = [side / 2, side / 2 + 5];
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
  const beside = { x: left - 8, "text-anchor": "end" }; // the text in the names of rows
  const corner = valueNames.map((name, k) => tag("text", { ...beside, y: valueY(k), class: "value-name" }, escapeText(name)));

  // A condensed matrix has the rows and columns that are left, the options that can be tried next,
  // and what a sub-step is about to change.
  function isShown(states, focus) {
    const { item: current, role } = steps[stepIndex];
    const isBranching = !focus && ["cover", "prepare"].includes(role);
    const isBefore = focus !== null && currentPhase().nChanges === 0;
    return {
      option: (option) => !isCondensed || isLeft(option) || (isBranching ? states[option] === "untried" : focus?.option === option),
      item: (item) =>
        !isCondensed || !isCovered(item) || isUnfinished(item) || ((isBranching || isBefore) && item === current) || (isBefore && focus.items.has(item)),
    };
  }

  function drawHeading(item, changed) {
    const covered = isCovered(item);
    const texts = valueNames.map((name) => (covered ? "–" : itemValues[name](item)));
    const status = valueNames.map((name, k) => texts[k] && `${name} ${texts[k]}`).filter(Boolean).join(", ");
    const title = tag("title", {}, escapeText(`item ${record.items[item - 1]}\n${covered ? "covered" : status}`));
    const [x, y] = [middle, namesHeight];
    const turn = nameLength > 2 && { x: x + 4, "text-anchor": "start", transform: `rotate(-90 ${x + 4} ${y})` };
    const values = valueNames.map((name, k) => {
      const isNew = !covered && changed[k].has(item);
      return tag("text", { x, y: valueY(k), class: namesOf({ value: true, [name]: true, new: isNew }) }, escapeText(texts[k]));
    });
    return [title, tag("text", { x, y, class: "name", ...turn }, escapeText(record.items[item - 1])), ...values];
  }

  function drawEntry(option, item, node, kinds) {
    const text = tag("text", { x: middle, y: baseline }, node ? escapeText(entryText(node)) : "0");
    if (!node) return tag("g", { class: "zero", ...kinds }, text);
    const color = colorOf(node) ? `, color ${colorName(node)}` : "";
    const title = tag("title", {}, escapeText(`option ${optionTitles[option]}\nitem ${record.items[item - 1]}${color}`));
    const box = tag("rect", { x: 1, y: 1, width: side - 2, height: side - 2, rx: side / 8, class: "box" });
    return tag("g", { "data-node": node, ...kinds }, box, title, text);
  }

  return () => {
    const states = optionStates();
    const focus = focusOfPhase();
    const shows = isShown(states, focus);
    const options = [...states.keys()].filter(shows.option);
    const items = record.items.map((_, k) => k + 1).filter(shows.item);
    const xs = new Map(items.map((item, k) => [item, side * (k + (isPrimary(item) ? 0 : 0.5))])); // a gap before secondary items
    const ys = new Map(options.map((option, k) => [option, side * k]));
    const width = side * (items.length + (isPrimary(nItems) ? 0 : 0.5));
    const height = side * options.length;
    const at = (x, y) => ({ transform: `translate(${x} ${y})` });
    const changed = valueNames.map(changedCells);
    const [head, names, picture, entries] = [[], [], [], []];
    for (const option of options) {
      const [y, state] = [ys.get(option), states[option]];
      const mark = focus?.option === option ? "selected" : focus?.related.has(option) ? "related" : "";
      const title = tag("title", {}, escapeText(`option ${optionTitles[option]}`));
      const label = `${mark ? FOCUS_SYMBOLS[mark] : STATE_SYMBOLS[state]} ${shortReferences[option]}`;
      picture.push(tag("g", { class: `row ${state} ${mark}`, "data-option": option, ...at(0, y) }, tag("rect", { width, height: side }), title));
      names.push(tag("g", { class: `row-name ${state} ${mark}`, ...at(0, y) }, title, tag("text", { ...beside, y: baseline }, escapeText(label))));
      const nodes = new Map(optionNodes[option].map((node) => [arrays.column[node], node]));
      for (const item of isSmall ? items : nodes.keys()) {
        const clash = mark === "related" && focus.items.has(item);
        const look = { class: nodes.has(item) ? namesOf({ entry: true, [state]: true, clash }) : "zero", ...at(xs.get(item), y) };
        if (xs.has(item)) entries.push(drawEntry(option, item, nodes.get(item), look));
      }
    }
    for (const item of items) {
      const kinds = { [isCovered(item) ? "covered" : purifierOf(item) !== 0 ? "purified" : "active"]: true, touched: focus?.items.has(item) };
      const current = steps[stepIndex].item === item;
      const heading = drawHeading(item, changed);
      const place = at(xs.get(item), 0);
      picture.push(tag("g", { class: namesOf({ column: true, ...kinds, current }), "data-item": item, ...place }, tag("rect", { width: side, height }), heading[0]));
      head.push(tag("g", { class: namesOf({ heading: true, ...kinds }), ...place }, ...heading));
    }
    const inStates = Object.keys(STATE_SYMBOLS).map((state) =>
      `${state}: ${joinForLabel(references.filter((_, option) => states[option] === state))}`);
    const covered = joinForLabel(record.items.filter((_, k) => isCovered(k + 1)));
    const label = `${isCondensed ? "Condensed matrix" : "Matrix"}. Options ${inStates.join("; ")}. Covered items: ${covered}.`;
    // The names of items and options are separate pictures, which stay visible while the matrix is
    // scrolled. Their corner has the names of the values.
    byId("matrix").innerHTML =
      drawPicture(left, headHeight, "Names of the values", "matrix-corner", corner) +
      drawPicture(width + 2, headHeight, `Items, with their ${valueNames.join(", ")}`, "matrix-head", head) +
      drawPicture(left, height + 2, "Options", "matrix-names", names) +
      drawPicture(width + 2, height + 2, label, "matrix-entries", [...picture, ...entries]);
    byId("left-note").hidden = !isCondensed;
    setText(byId("left-note"), `Shown: ${plural(options.length, "row")} of ${nOptions}, ${plural(items.length, "column")} of ${nItems}.`);
    const x = xs.get(steps[stepIndex].item) ?? xs.get(items[0]) ?? 0;
    const y = ys.get(focus?.option >= 0 ? focus.option : completedStep().chosen.at(-1));
    // The names cover the left and upper part of the panel.
    if (y !== undefined) scrollIntoView("matrix", x, y, side + left, side + headHeight);
  };
})();
