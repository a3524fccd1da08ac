// A drawing of the toroidal links L, R, U and D.

const DRAWS_LINKS = nItems <= 64 && nOptions <= 64;

const linksView = (() => {
  if (!DRAWS_LINKS) {
    byId("links-panel").hidden = true; // the panel of the arrays says why
    return () => {};
  }
  const dy = 40;
  const boxHeight = 20;
  const itemNames = record.items.map((name) => shorten(name));
  // Names of more than three characters have a smaller font.
  const itemWidth = Math.max(26, 8 + 5.5 * Math.max(...itemNames.map(widthOf)));
  const widthOfBox = (node) => (node === 0 || node > nItems ? 26 : itemWidth);
  const dx = itemWidth + 20;
  const left = 44;
  const top = 40;
  const width = left + (nItems + 1) * dx + 10;
  const height = top + (nOptions + 1) * dy;
  const picture = addPicture("links", width, height, "");
  const lines = svg("g", {}, picture);
  const columnOf = (node) => (node === 0 ? 0 : arrays.column[node]);
  const rowOf = (node) => (node <= nItems ? 0 : optionOf[node] + 1);
  const isUnlinked = (node) => (node > nItems ? isHidden(node) : node > 0 && isCovered(node));

  // The center of a node. An unlinked node is drawn to the side, so that lines pass it.
  function centerOf(node) {
    const unlinked = isUnlinked(node);
    const x = left + columnOf(node) * dx;
    const y = top + rowOf(node) * dy;
    if (node > nItems) return [x + (unlinked ? 13 : 0), y + (unlinked ? 8 : 0)];
    // Secondary items are never in the item list, which passes above them.
    return [x, y + (isPrimary(node) ? (unlinked ? -22 : 0) : 17)];
  }

  function addNode(node) {
    const group = svg("g", { "data-node": node }, picture);
    const box = { width: widthOfBox(node), height: boxHeight };
    svg("rect", { x: -box.width / 2, y: -box.height / 2, ...box }, group);
    const text = node === 0 ? "root" : node <= nItems ? itemNames[node - 1] : String(node);
    const long = text.length > 3 ? " long" : "";
    svg("text", { y: 4, class: `label${long}` }, group, text);
    const color = colorOf(node) ? `, color ${colorName(node)}` : "";
    const itemName = node > 0 ? `item ${record.items[columnOf(node) - 1]}` : "root";
    const place = node > nItems ? `option ${references[optionOf[node]]}, ${itemName}` : itemName;
    svg("title", {}, group, `node ${node}: ${place}${color}`);
    return group;
  }

  const nodes = [...Array(nNodes).keys()].map(addNode);

  // Draws the link of a node in one direction. A mutual link is drawn once, and wraps around the edge
  // of the drawing if necessary; any other link ends there.
  function drawLink(node, direction, pending) {
    const [isVertical, isBackward] = ["UD", "LU"].map((pair) => pair.includes(direction));
    const opposite = { L: "R", R: "L", U: "D", D: "U" }[direction];
    const target = arrays[direction][node];
    const isMutual = arrays[opposite][target] === node;
    if (isMutual && (isBackward || target === node)) return;
    const isPending = pending[direction].has(node) || (isMutual && pending[opposite].has(target));
    const kind = `${isMutual ? "link" : "one-way"}${isPending ? " pending" : ""}`;
    const drawLine = ([x1, y1], [x2, y2]) =>
      svg("line", { x1, y1, x2, y2, class: kind, "data-link": direction + node }, lines);
    const sign = isBackward ? -1 : 1;
    const besides = (end, side) => {
      const [x, y] = centerOf(end);
      return isVertical ? [x, y + (side * boxHeight) / 2] : [x + (side * widthOfBox(end)) / 2, y];
    };
    const atEdge = ([x, y], side) => {
      const edge = side < 0 ? 2 : (isVertical ? height : width) - 4;
      return isVertical ? [x, edge] : [edge, y];
    };
    const placeOf = isVertical ? rowOf : columnOf;
    const [start, end] = [besides(node, sign), besides(target, -sign)];
    if (sign * (placeOf(target) - placeOf(node)) > 0) return drawLine(start, end);
    drawLine(start, atEdge(start, sign));
    if (isMutual) drawLine(atEdge(end, -sign), end);
  }

  return () => {
    lines.replaceChildren();
    const directions = ["L", "R", "U", "D"];
    const changed = new Set(directions.flatMap((name) => [...changedCells(name).keys()]));
    const chosen = new Set(completedStep().chosen);
    const focus = focusOfPhase();
    const moving = movingNode();
    const pending = Object.fromEntries(directions.map((name) => [name, pendingCells(name)]));
    const nPending = directions.reduce((sum, name) => sum + pending[name].size, 0);
    let nUnlinked = 0;
    for (let node = 0; node < nNodes; node++) {
      for (const direction of node ? directions : ["L", "R"]) drawLink(node, direction, pending);
      const unlinked = isUnlinked(node);
      nUnlinked += unlinked;
      const [x, y] = centerOf(node);
      const isNode = node > nItems;
      const kinds = {
        item: !isNode,
        node: isNode,
        unlinked,
        chosen: isNode && chosen.has(optionOf[node]),
        changed: changed.has(node),
        current: node > 0 && node === steps[stepIndex].item,
        moving: node === moving,
        touched: focus?.items.has(node),
        selected: isNode && optionOf[node] === focus?.option,
        related: isNode && focus?.related.has(optionOf[node]),
      };
      setAttributes(nodes[node], { transform: `translate(${x} ${y})`, class: namesOf(kinds) });
    }
    // Lines in bold are drawn above the others.
    lines.append(...lines.querySelectorAll(".pending"));
    const bold = isDetailed() ? ` ${nPending} links are about to change.` : "";
    const label = `Links: ${nNodes} nodes, ${nUnlinked} of them unlinked, ${changed.size} changed.`;
    setAttributes(picture, { "aria-label": label + bold });
  };
})();
