// The toroidal links: a drawing of L, R, U and D as they are.

const linksView = (() => {
  if (nItems > 64 || nOptions > 64) {
    document.getElementById("links").hidden = true;
    document.getElementById("links-note").textContent =
      `The links of ${nOptions} options and ${nItems} items are too many to be drawn.`;
    return () => {};
  }
  const dx = 46;
  const dy = 40;
  const boxWidth = 26;
  const boxHeight = 20;
  const left = 44;
  const top = 40;
  const width = left + (nItems + 1) * dx + 10;
  const height = top + (nOptions + 1) * dy;
  const picture = drawing("links", width, height, "");
  const definitions = svg("defs", {}, picture);
  const arrow = { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6 };
  const tip = svg("marker", { ...arrow, orient: "auto" }, definitions);
  svg("path", { d: "M0 0 L8 4 L0 8 z", class: "tip" }, tip);
  const lines = svg("g", {}, picture);
  const nodes = [];

  const column = (node) => (node === 0 ? 0 : arrays.column[node]);
  const row = (node) => (node <= nItems ? 0 : optionOf[node] + 1);
  const aside = (node) => (node > nItems ? isHidden(node) : node > 0 && isCovered(node));

  // The middle of a node: aside where it is unlinked, so that lines pass by.
  function place(node) {
    const shift = aside(node);
    const x = left + column(node) * dx;
    const y = top + row(node) * dy;
    if (node > nItems) return [x + (shift ? 13 : 0), y + (shift ? 8 : 0)];
    // Secondary items are never in the list of items, which passes above them.
    return [x, y + (isPrimary(node) ? (shift ? -22 : 0) : 17)];
  }

  for (let node = 0; node < nNodes; node++) {
    const group = svg("g", { "data-node": node }, picture);
    svg("rect", { x: -boxWidth / 2, y: -boxHeight / 2, width: boxWidth, height: boxHeight }, group);
    const text = node === 0 ? "root" : node <= nItems ? record.items[node - 1] : String(node);
    const long = text.length > 3 ? " long" : "";
    svg("text", { y: 4, "text-anchor": "middle", class: `label${long}` }, group, text);
    const color = colorOf(node) ? `, in colour ${record.colors[colorOf(node) - 1]}` : "";
    const of = node > nItems ? ` of option ${optionOf[node]}, item ${record.items[column(node) - 1]}` : "";
    svg("title", {}, group, `node ${node}${of}${color}`);
    nodes.push(group);
  }

  function line(x1, y1, x2, y2, kind) {
    svg("line", { x1, y1, x2, y2, class: kind }, lines);
  }

  // A link from node to node, to the right (or, if `down`, downwards); round the edge if need be.
  function join(from, to, down, kind) {
    const [x1, y1] = place(from);
    const [x2, y2] = place(to);
    const forward = down ? row(to) > row(from) : column(to) > column(from);
    const w = boxWidth / 2;
    const h = boxHeight / 2;
    if (down) {
      if (forward) return line(x1, y1 + h, x2, y2 - h, kind);
      line(x1, y1 + h, x1, height - 4, kind);
      return line(x2, 2, x2, y2 - h, `${kind} in`);
    }
    if (forward) return line(x1 + w, y1, x2 - w, y2, kind);
    line(x1 + w, y1, width - 4, y1, kind);
    return line(2, y2, x2 - w, y2, `${kind} in`);
  }

  // What a node that is unlinked still points to.
  function point(from, to, end) {
    const [x1, y1] = place(from);
    const [x2, y2] = place(to);
    const vertical = end === "U" || end === "D";
    const away = end === "U" || end === "L" ? -1 : 1;
    const ahead = vertical ? row(to) - row(from) : column(to) - column(from);
    if (Math.sign(ahead) !== away) {
      if (vertical) return line(x1, y1 + (away * boxHeight) / 2, x1, away < 0 ? 2 : height - 4, "stale");
      return line(x1 + (away * boxWidth) / 2, y1, away < 0 ? 2 : width - 4, y1, "stale");
    }
    if (vertical) {
      return line(x1, y1 + (away * boxHeight) / 2, x2, y2 - (away * boxHeight) / 2, "stale");
    }
    return line(x1 + (away * boxWidth) / 2, y1, x2 - (away * boxWidth) / 2, y2, "stale");
  }

  function drawLinks(node, back, forth, down) {
    const next = arrays[forth][node];
    if (arrays[back][next] === node) {
      if (next !== node) join(node, next, down, "link");
    } else point(node, next, forth);
    const before = arrays[back][node];
    if (arrays[forth][before] !== node) point(node, before, back);
  }

  return function draw() {
    lines.replaceChildren();
    const { item } = steps[at];
    const changed = new Set(["L", "R", "U", "D"].flatMap((name) => [...changedCells(name)]));
    const chosen = new Set(steps[at].chosen);
    let unlinked = 0;
    for (let node = 0; node < nNodes; node++) {
      drawLinks(node, "L", "R", false);
      if (node > 0) drawLinks(node, "U", "D", true);
      const off = aside(node);
      unlinked += off;
      const [x, y] = place(node);
      let kind = node <= nItems ? "item" : "node";
      if (off) kind += " unlinked";
      if (node > nItems && chosen.has(optionOf[node])) kind += " chosen";
      if (changed.has(node)) kind += " changed";
      if (node > 0 && node === item) kind += " in-hand";
      set(nodes[node], { transform: `translate(${x} ${y})`, class: kind });
    }
    const label = `Links: ${nNodes} nodes, ${unlinked} of them unlinked, ${changed.size} changed.`;
    set(picture, { "aria-label": label });
  };
})();
