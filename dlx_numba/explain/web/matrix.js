// The 0/1 matrix: a row an option, a column an item; what is chosen, covered and left.

const matrixView = (() => {
  const small = nItems <= 72 && nOptions <= 72;
  const tiny = nItems <= 16 && nOptions <= 20;
  const named = nItems <= 48 ? 22 : 18;
  const unnamed = nItems <= 140 ? 8 : 5;
  const side = tiny ? 30 : small ? named : unnamed;
  const base = side / 2 + 5; // of a text in a cell
  const narrow = nItems <= 16 && !record.board;
  document.body.className = narrow ? "narrow" : record.board ? "broad" : "broad alone";
  const longest = Math.max(1, ...record.items.map((name) => name.length));
  const upright = longest > 2;
  // What the head tells of an item, below its name.
  const told = { size: (item) => String(sizeOf(item)) };
  if (arrays.need) {
    told.need = (item) => (isPrimary(item) ? String(Math.max(0, arrays.need[item])) : "");
    told.room = (item) => (isPrimary(item) ? roomOf(item) : "");
  }
  const lines = Object.keys(told);
  const below = 10 + 14 * lines.length;
  const head = small ? (upright ? longest * 8 + 6 : 16) + below : 0;
  const left = small ? 16 + 9 * (String(nOptions).length + 2) : 0;
  const gap = record.primary < nItems ? side / 2 : 0;
  const xOf = (item) => left + (item - 1) * side + (isPrimary(item) ? 0 : gap);
  const yOf = (option) => option * side;
  const width = left + nItems * side + gap + 2;
  const height = nOptions * side + 2;
  // The names stay in view while the matrix is scrolled.
  const about = lines.length > 1 ? "size, need and room of each" : "the options left to each";
  const heads = drawing("matrix", width, head, `Items, with ${about}`);
  heads.classList.add("heads");
  if (!small) heads.remove();
  const lineAt = (k) => head - 7 - 14 * (lines.length - 1 - k);
  if (lines.length > 1) {
    lines.forEach((line, k) => {
      svg("text", { x: left - 8, y: lineAt(k), "text-anchor": "end", class: "line" }, heads, line);
    });
  }
  const picture = drawing("matrix", width, height, "");
  const columns = [null];
  const rows = [];
  const ones = [];

  for (let option = 0; option < nOptions; option++) {
    const row = svg("g", {}, picture);
    const band = svg("rect", { x: left, y: yOf(option), width: width - left - 2, height: side }, row);
    const label = small
      ? svg("text", { x: left - 8, y: yOf(option) + base, "text-anchor": "end" }, row)
      : null;
    svg("title", {}, band, `option ${option}: ${record.options[option]}`);
    rows.push({ row, label });
  }
  for (let item = 1; item <= nItems; item++) {
    const x = xOf(item);
    const group = svg("g", {}, picture);
    const caption = svg("g", {}, heads);
    svg("rect", { x, y: 0, width: side, height: height - 2 }, group);
    let figures = [];
    if (small) {
      const middle = x + side / 2;
      const turn = upright ? `rotate(-90 ${middle + 4} ${head - below})` : "";
      const anchor = upright ? "start" : "middle";
      const top = { x: upright ? middle + 4 : middle, y: head - below, "text-anchor": anchor };
      svg("text", { ...top, transform: turn, class: "name" }, caption, record.items[item - 1]);
      figures = lines.map((line, k) => {
        const where = { x: middle, y: lineAt(k), "text-anchor": "middle" };
        return svg("text", { ...where, class: `figure ${line}` }, caption);
      });
    }
    const meaning = record.meanings[item - 1];
    const name = `item ${record.items[item - 1]}${meaning ? `: ${meaning}` : ""}`;
    const titles = [group, caption].map((part) => svg("title", {}, part, name));
    columns.push({ group, caption, figures, name, titles });
  }
  const has = new Set();
  for (let node = nItems + 1; node < nNodes; node++) {
    const item = arrays.column[node];
    const option = optionOf[node];
    const group = mark(picture, xOf(item), yOf(option), side);
    group.setAttribute("data-node", node);
    const middle = { x: side / 2, y: base, "text-anchor": "middle" };
    if (small) svg("text", middle, group, entryText(node));
    const color = colorOf(node) ? `, in colour ${record.colors[colorOf(node) - 1]}` : "";
    const where = `option ${option}: ${record.options[option]}\nitem ${record.items[item - 1]}${color}`;
    svg("title", {}, group, where);
    has.add(option * (nItems + 1) + item);
    ones.push({ node, option, group });
  }
  if (small) {
    for (let option = 0; option < nOptions; option++) {
      for (let item = 1; item <= nItems; item++) {
        if (has.has(option * (nItems + 1) + item)) continue;
        const middle = { x: xOf(item) + side / 2, y: yOf(option) + base, "text-anchor": "middle" };
        svg("text", { ...middle, class: "zero" }, picture, "0");
      }
    }
  }
  const legend = document.getElementById("legend");
  for (const state of Object.keys(SIGNS)) {
    const entry = document.createElement("li");
    const sample = svg("svg", { width: 22, height: 22, "aria-hidden": "true" });
    const group = mark(sample, 0, 0, 22);
    group.setAttribute("class", `entry ${state}`);
    svg("text", { x: 11, y: 16, "text-anchor": "middle" }, group, "1");
    entry.append(sample, ` ${SIGNS[state]} ${WORDS[state]}`);
    legend.append(entry);
  }
  const covered = document.createElement("li");
  const sample = svg("svg", { width: 22, height: 22, "aria-hidden": "true" });
  svg("rect", { x: 1, y: 1, width: 20, height: 20, class: "sample covered" }, sample);
  covered.append(sample, " column of a covered item");
  legend.append(covered);

  return function draw() {
    const states = optionStates();
    const byState = { chosen: [], waiting: [], left: [], out: [] };
    states.forEach((state, option) => {
      byState[state].push(option);
      const { row, label } = rows[option];
      set(row, { class: `row ${state}`, "data-option": option });
      if (label) setText(label, `${SIGNS[state]} ${option}`);
    });
    const coveredItems = [];
    const changed = lines.map(changedCells);
    for (let item = 1; item <= nItems; item++) {
      const { group, caption, figures, name, titles } = columns[item];
      const pure = purifier(item) !== 0;
      const state = isCovered(item) ? "covered" : pure ? "pure" : "active";
      if (state === "covered") coveredItems.push(record.items[item - 1]);
      const inHand = steps[at].item === item ? " in-hand" : "";
      set(group, { class: `column ${state}${inHand}`, "data-item": item });
      set(caption, { class: `head ${state}` });
      const texts = lines.map((line) => (state === "covered" ? "–" : told[line](item)));
      const standing = lines.map((line, k) => texts[k] && `${line} ${texts[k]}`).filter(Boolean);
      for (const title of titles) {
        setText(title, `${name}\n${state === "covered" ? "covered" : standing.join(", ")}`);
      }
      figures.forEach((figure, k) => {
        setText(figure, texts[k]);
        const isNew = state !== "covered" && changed[k].has(item);
        set(figure, { class: `figure ${lines[k]}${isNew ? " new" : ""}` });
      });
    }
    for (const { node, option, group } of ones) {
      const state = states[option];
      const detached = state === "waiting" && isHidden(node) ? " aside" : "";
      set(group, { class: `entry ${state}${detached}` });
    }
    const said = Object.keys(SIGNS).map((state) => `${WORDS[state]}: ${spoken(byState[state])}`);
    const items = `Items covered: ${spoken(coveredItems)}.`;
    set(picture, { "aria-label": `Matrix. Options ${said.join("; ")}. ${items}` });
    const last = steps[at].chosen[steps[at].chosen.length - 1];
    if (last !== undefined) keepInView("matrix", 0, yOf(last), 1, side + head);
  };
})();
