// A drawing of the toroidal links L, R, U and D.

const DRAWS_LINKS = nItems <= 64 && nOptions <= 64;

const linksView = (() => {
  byId("links-panel").hidden = !DRAWS_LINKS; // the panel of the arrays says why
  if (!DRAWS_LINKS) return () => {};
  // The opposite of each array, and where the neighbor is: to the right, and below.
  const DIRECTIONS = { L: ["R", -1, 0], R: ["L", 1, 0], U: ["D", 0, -1], D: ["U", 0, 1] };
  const directions = Object.keys(DIRECTIONS);
  const [dy, boxHeight, left, top] = [40, 20, 44, 40];
  const itemNames = record.items.map((name) => shorten(name));
  // Names of more than three characters have a smaller font.
  const itemWidth = Math.max(26, 8 + 5.5 * Math.max(...itemNames.map(widthOf)));
  const widthOfBox = (node) => (node === 0 || node > nItems ? 26 : itemWidth);
  const dx = itemWidth + 20;
  const width = left + (nItems + 1) * dx + 10;
  const height = top + (nOptions + 1) * dy;
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

  function drawNode(node, kinds) {
    const [x, y] = centerOf(node);
    const text = node === 0 ? "root" : node <= nItems ? itemNames[node - 1] : String(node);
    const color = colorOf(node) ? `, color ${colorName(node)}` : "";
    const itemName = node > 0 ? `item ${record.items[columnOf(node) - 1]}` : "root";
    const place = node > nItems ? `option ${references[optionOf[node]]}, ${itemName}` : itemName;
    const box = { x: -widthOfBox(node) / 2, y: -boxHeight / 2, width: widthOfBox(node), height: boxHeight };
    return tag(
      "g", { "data-node": node, class: namesOf(kinds), transform: `translate(${x} ${y})` }, tag("rect", box),
      tag("text", { y: 4, class: text.length > 3 ? "label long" : "label" }, escapeText(text)),
      tag("title", {}, escapeText(`node ${node}: ${place}${color}`)),
    );
  }

  // Draws the link of a node in one direction. A mutual link is drawn once, and wraps around the edge
  // of the drawing if necessary; any other link ends there.
  function drawLink(node, direction, pending) {
    const [opposite, across, down] = DIRECTIONS[direction];
    const target = arrays[direction][node];
    const isMutual = arrays[opposite][target] === node;
    if (isMutual && (across + down < 0 || target === node)) return [];
    const isPending = pending[direction].has(node) || (isMutual && pending[opposite].has(target));
    const look = { class: namesOf({ [isMutual ? "link" : "one-way"]: true, pending: isPending }), "data-link": direction + node };
    const drawLine = ([x1, y1], [x2, y2]) => tag("line", { x1, y1, x2, y2, ...look });
    const besides = (end, side) => {
      const [x, y] = centerOf(end);
      return [x + (side * across * widthOfBox(end)) / 2, y + (side * down * boxHeight) / 2];
    };
    const atEdge = ([x, y], side) => {
      const edge = side * (across + down) < 0 ? 2 : (across ? width : height) - 4;
      return across ? [edge, y] : [x, edge];
    };
    const [start, end] = [besides(node, 1), besides(target, -1)];
    const distance = across * (columnOf(target) - columnOf(node)) + down * (rowOf(target) - rowOf(node));
    if (distance > 0) return [[isPending, drawLine(start, end)]];
    const back = isMutual ? [[isPending, drawLine(atEdge(end, -1), end)]] : [];
    return [[isPending, drawLine(start, atEdge(start, 1))], ...back];
  }

  return () => {
    const changed = new Set(directions.flatMap((name) => [...changedCells(name).keys()]));
    const chosen = new Set(completedStep().chosen);
    const focus = focusOfPhase();
    const moving = movingNode();
    const pending = Object.fromEntries(directions.map((name) => [name, pendingCells(name)]));
    const nPending = directions.reduce((sum, name) => sum + pending[name].size, 0);
    const lines = nodeNumbers.flatMap((node) => (node ? directions : ["L", "R"]).flatMap((name) => drawLink(node, name, pending)));
    const nodes = nodeNumbers.map((node) => {
      const isNode = node > nItems;
      return drawNode(node, {
        item: !isNode,
        node: isNode,
        unlinked: isUnlinked(node),
        chosen: isNode && chosen.has(optionOf[node]),
        changed: changed.has(node),
        current: node > 0 && node === steps[stepIndex].item,
        moving: node === moving,
        touched: focus?.items.has(node),
        selected: isNode && optionOf[node] === focus?.option,
        related: isNode && focus?.related.has(optionOf[node]),
      });
    });
    const bold = isDetailed() ? ` ${nPending} links are about to change.` : "";
    const label = `Links: ${nNodes} nodes, ${nodeNumbers.filter(isUnlinked).length} of them unlinked, ${changed.size} changed.`;
    // Lines in bold are drawn above the others.
    const drawn = lines.sort(([a], [b]) => a - b).map(([, line]) => line);
    byId("links").innerHTML = drawPicture(width, height, label + bold, "picture", [...drawn, ...nodes]);
  };
})();
