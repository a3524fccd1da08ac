// The picture of the problem. Chosen options are colored areas or symbols, what the sentence names
// is shaded and outlined, cells that no remaining option covers are hatched, and bars that can be
// tried are dashed.

const pictureView = (() => {
  const { picture, palette } = record;
  if (!picture) return () => {};
  const { places, options, items, symbols, size, lines, is_board: isBoard } = picture;
  const panel = byId("board-panel");
  const root = panel.querySelector("svg");
  const plane = root.querySelector("g");
  const { width } = root.viewBox.baseVal;
  const MIN_SCALE = 0.5; // narrower panels are scrolled
  root.removeAttribute("aria-labelledby");
  root.style = `--width: ${width}px; min-width: ${MIN_SCALE * width}px`;
  panel.hidden = false;
  if (!isBoard) setText(panel.querySelector("h2"), "The timetable");
  document.querySelector(".stack").after(byId("matrix-panel")); // which follows the search tree
  const [ground, above] = [0, 1].map(() => plane.appendChild(document.createElementNS(plane.namespaceURI, "g")));
  const shades = plane.querySelectorAll(":scope > .shade");
  if (isBoard && shades.length) shades[shades.length - 1].after(ground);
  else if (isBoard) plane.prepend(ground);
  const givens = new Map(picture.givens);
  const boxes = places.map((points) => {
    const [[left, right], [top, bottom]] = [0, 1].map((k) => points.map((point) => point[k])).map((all) => [Math.min(...all), Math.max(...all)]);
    const [x, y] = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
    return { left, top, x, y, width: right - left, height: bottom - top };
  });
  const keysOf = (numbers) => new Set([...numbers].flatMap((k) => options[k].map(([place, text]) => `${place} ${text}`)));
  const candidates = places.map(() => []); // the symbols that may be written into each cell
  for (const key of symbols.length ? keysOf(options.keys()) : []) {
    candidates[parseInt(key, 10)].push([key, key.slice(key.indexOf(" ") + 1)]);
  }

  // A symbol that may be written into a cell, in small type.
  function drawCandidate(place, symbol, kinds) {
    const perRow = Math.ceil(Math.sqrt(symbols.length));
    const { left, top, width, height } = boxes[place];
    const [row, column] = [Math.floor(symbols.indexOf(symbol) / perRow), symbols.indexOf(symbol) % perRow];
    const x = left + ((column + 0.5) * width) / perRow;
    const y = top + ((row + 0.82) * height) / Math.ceil(symbols.length / perRow);
    return tag("text", { x, y, style: `font-size: ${(1.45 * size) / perRow}px`, class: namesOf(kinds) }, escapeText(symbol));
  }

  // The sides of areas that no other area has, as the data of a path.
  function outlineOf(areas) {
    const sides = new Set();
    for (const points of [...areas].map((place) => places[place])) {
      points.forEach((point, k) => {
        const side = [point, points[(k + 1) % points.length]].map(String).sort().join("L");
        if (!sides.delete(side)) sides.add(side);
      });
    }
    return [...sides].map((side) => `M${side}`).join("");
  }

  // The options that can be tried for the current item.
  function optionsToTry(states) {
    const { item, role } = completedStep();
    const isOpen = (option) => item && role === "choose" && states[option] === "active" && optionNodes[option].some((node) => arrays.column[node] === item);
    return [...states.keys()].filter((option) => states[option] === "untried" || isOpen(option));
  }

  const placesOf = (numbers) => new Set(numbers.flatMap((option) => options[option].map(([place]) => place)));

  return function draw() {
    const states = optionStates();
    const chosen = shownOptions();
    const { option, items: sentenceItems, related, lacking } = namedInSentence();
    const tried = isBoard || shownCover() >= 0 ? [] : optionsToTry(states);
    const owners = new Map(); // of places: the chosen option, and its place among these
    const colors = new Map();
    chosen.forEach((each, k) => {
      for (const [place, , color] of options[each]) {
        owners.set(place, k);
        colors.set(place, palette[color < 0 ? k % palette.length : color]);
      }
    });
    const selected = placesOf(option < 0 ? [] : [option]);
    const failing = new Set(lacking ? items[lacking - 1] : []);
    const namedItems = isBoard || option < 0 ? [...sentenceItems] : lacking ? [lacking] : [];
    const placesOfItems = namedItems.map((item) => items[item - 1]);
    const named = new Set([...placesOfItems.flat(), ...selected]);
    const own = new Set([...placesOfItems.filter((each) => each.length === 1).flat(), ...selected]);
    const toTry = placesOf(tried);
    const left = [...states.keys()].filter((k) => states[k] !== "removed");
    const open = placesOf(left);
    const newest = shownCover() < 0 ? chosen.length - 1 : -1;
    const texts = places.map(() => new Set());
    for (const each of [...chosen, ...(isBoard ? [] : [...tried, ...(option < 0 ? [] : [option])])]) {
      for (const [place, text] of options[each]) texts[place].add(text);
    }
    const [isOpen, isSelected, isRelated, isGone] = [left, option < 0 ? [] : [option], related,
      [...related].filter((k) => states[k] === "removed")].map(keysOf);
    ground.innerHTML = places.map((points, place) => {
      const filled = symbols.length ? "placed" : "filled";
      const free = !isBoard ? (toTry.has(place) ? "tried" : "bar") : open.has(place) ? "open" : "blocked";
      const kind = owners.has(place) ? filled : givens.has(place) ? "given" : free;
      const marks = { named: named.has(place), own: own.has(place), failing: failing.has(place) };
      const isNewest = isBoard && owners.get(place) === newest;
      const style = kind === "filled" && !isNewest ? `fill: ${colors.get(place)}` : "";
      const isMissing = isBoard && failing.size === 1 && marks.failing;
      const written = [...texts[place]].join(" / ") || (isMissing && kind !== "given" ? "✗" : "");
      const { x, y, width } = boxes[place];
      const text = isBoard ? written : shorten(written, Math.floor(width / (0.6 * size)));
      const small = ["placed", "filled", "given"].includes(kind) ? [] : candidates[place].filter(([key]) => isOpen.has(key) || isGone.has(key));
      return tag(
        "g", { "data-place": place, class: namesOf({ cell: true, [kind]: true, ...marks, newest: isNewest }) },
        tag("path", { d: `M${points.join("L")}z`, style }),
        tag("text", { x, y, dy: "0.35em", style: `font-size: ${size}px` }, escapeText(text)),
        ...small.map(([key, symbol]) =>
          drawCandidate(place, symbol, { candidate: true, selected: isSelected.has(key), related: isRelated.has(key), gone: isGone.has(key) })),
      );
    }).join("");
    const paths = {
      borders: symbols.length ? "" : chosen.map((each) => outlineOf(placesOf([each]))).join(""),
      drawn: chosen.flatMap((each) => lines[each] ?? []).map((points) => `M${points.join("L")}`).join(""),
      outline: outlineOf(own.size ? own : named),
    };
    above.innerHTML = Object.entries(paths).map(([name, d]) => tag("path", { class: name, d })).join("");
    const nEmpty = places.length - new Set([...owners.keys(), ...givens.keys()]).size;
    const tryable = isBoard ? `${nEmpty} cells empty` : `${tried.length} that can be tried`;
    root.ariaLabel = `Picture: ${chosen.length} options chosen, ${tryable}.`;
  };
})();
