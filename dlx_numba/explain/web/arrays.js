// The arrays themselves, a column a node; what the step changed stands out, with its old value.

const arraysView = (() => {
  const MOST = 160; // nodes of a whole table
  const whole = nNodes <= MOST;
  const names = Object.keys(arrays);
  const note = document.getElementById("arrays-note");
  note.textContent =
    "Node 0 is the root, then come the items, then the nodes of the options, in order. " +
    "Underlined cells are what this step changed; what they held before stands above them. " +
    "C is 2³⁰: it is added to the size of each item that is not to be chosen." +
    (arrays.need
      ? " need is how many options an item still needs (below 0: how many it has beyond that), room " +
        "how many it may still have; its size is the options left, plus 1, less those that it needs."
      : "") +
    (whole ? "" : ` Of ${nNodes.toLocaleString("en")} nodes, those are shown that this step changed.`);
  const holder = document.getElementById("arrays");
  let cells = {};
  let marked = [];

  function shown(name, value) {
    if (name !== "size") return String(value);
    const size = signed(value);
    if (size < record.covered) return String(size);
    return `${"C+".repeat(Math.floor(size / record.covered))}${size % record.covered}`;
  }

  function heading(node) {
    if (node === 0) return "root";
    if (node <= nItems) return record.items[node - 1];
    return `${optionOf[node]}`;
  }

  function build(nodes) {
    const table = document.createElement("table");
    const caption = table.createCaption();
    caption.textContent = "The arrays of the links, by node";
    const head = table.createTHead();
    for (const [label, text] of [["node", String], ["item, option", heading]]) {
      const row = head.insertRow();
      const first = document.createElement("th");
      first.textContent = label;
      row.append(first);
      for (const node of nodes) {
        const cell = document.createElement("th");
        cell.scope = "col";
        cell.textContent = text(node);
        row.append(cell);
      }
    }
    const body = table.createTBody();
    cells = {};
    for (const name of names) {
      const row = body.insertRow();
      const first = document.createElement("th");
      first.scope = "row";
      first.textContent = name;
      row.append(first);
      cells[name] = new Map();
      for (const node of nodes) {
        const cell = row.insertCell();
        cell.dataset.array = name;
        cell.dataset.node = node;
        if (node < arrays[name].length) cells[name].set(node, cell);
      }
    }
    holder.replaceChildren(table);
  }

  function touched() {
    const found = new Set(names.flatMap((name) => [...changedCells(name)]));
    return [...found].sort((a, b) => a - b).slice(0, MOST);
  }

  if (whole) build([...Array(nNodes).keys()]);

  return function draw() {
    if (!whole) {
      const nodes = touched();
      build(nodes);
      if (!nodes.length) holder.textContent = "This step changes none of the arrays.";
    }
    for (const cell of marked) cell.removeAttribute("class");
    marked = [];
    for (const name of names) {
      for (const [node, cell] of cells[name]) setText(cell, shown(name, arrays[name][node]));
    }
    for (const [name, list] of Object.entries(steps[at].old)) {
      for (let i = 0; i < list.length; i += 2) {
        const cell = cells[name].get(list[i]);
        if (!cell) continue;
        const old = document.createElement("del");
        old.textContent = shown(name, list[i + 1]);
        const now = document.createElement("ins");
        now.textContent = shown(name, arrays[name][list[i]]);
        cell.replaceChildren(old, now);
        cell.className = "changed";
        marked.push(cell);
      }
    }
  };
})();
