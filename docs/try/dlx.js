/**
 * The kernels of dlx-numba in the browser and in Node: `const dlx = await load("dlx.wasm")`.
 *
 * A kernel is a function of the WebAssembly module. Its only argument is the address of 64-bit
 * words: the addresses of arrays, laid out as NumPy's, and numbers. The module's section "manifest"
 * lists the types of arguments and results.
 */

/** @typedef {{type: string, shape: number[], address: bigint, readonly view: any,
 *   shorten: (n: number) => void}} KernelArray */
/** @typedef {KernelArray | number | bigint | boolean | null} Argument */
/** @typedef {{types: string[], symbol: string, result: string}} Form */

const ELEMENTS = {
  bool: Uint8Array, uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float64: Float64Array,
};
// Fields of an array object, and their bytes: the data, the number of dimensions, the dimensions, flags
const DATA = 0, N_DIMENSIONS = 8, DIMENSIONS = 16, FLAGS = 48, FIELDS_BYTES = 56;
const LAYOUT_FLAGS = 0x0101, WRITEABLE = 0x0400;
const PAGE_BYTES = 65536, ALIGNMENT = 64n; // a cache line, which SIMD vectors should not straddle

/** The memory and the kernels of one instance of the module. */
export class Kernels {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    const [section] = WebAssembly.Module.customSections(module, "manifest");
    /** @type {Record<string, Form[]>} */
    this.manifest = JSON.parse(new TextDecoder().decode(section));
    /** @type {any} */
    this.exports = new WebAssembly.Instance(module).exports;
    this.end = BigInt(this.exports.__heap_base.value);
  }

  /** @returns {ArrayBuffer} */
  get buffer() {
    return this.exports.memory.buffer;
  }

  /** Reserve aligned bytes, filled with zeros, and return their address. @param {number} bytes */
  allocate(bytes) {
    const start = (this.end + ALIGNMENT - 1n) & -ALIGNMENT;
    this.end = start + BigInt(bytes);
    const missing = Number(this.end) - this.buffer.byteLength;
    if (missing > 0 && this.exports.grow(BigInt(Math.ceil(missing / PAGE_BYTES))) < 0n)
      throw new RangeError("the problem needs more memory than the browser allows");
    new Uint8Array(this.buffer, Number(start), bytes).fill(0);
    return start;
  }

  /** Call a function, and free all arrays that it has allocated. @template T @param {() => T} f */
  scope(f) {
    const end = this.end;
    try {
      return f();
    } finally {
      this.end = end;
    }
  }

  /**
   * Allocate an array. Its `view` is valid until the next array is allocated.
   * @param {keyof typeof ELEMENTS} dtype
   * @param {number[]} shape
   * @param {ArrayLike<any>} [values]
   * @returns {KernelArray}
   */
  array(dtype, shape, values) {
    const Elements = ELEMENTS[dtype], size = shape.reduce((a, b) => a * b, 1), kernels = this;
    const address = this.allocate(FIELDS_BYTES + 8 * shape.length);
    const data = this.allocate(size * Elements.BYTES_PER_ELEMENT);
    const fields = new DataView(this.buffer, Number(address));
    fields.setBigUint64(DATA, data, true);
    fields.setInt32(N_DIMENSIONS, shape.length, true);
    fields.setBigUint64(DIMENSIONS, address + BigInt(FIELDS_BYTES), true);
    shape.forEach((n, k) => fields.setBigInt64(FIELDS_BYTES + 8 * k, BigInt(n), true));
    const array = {
      type: `${dtype}[${shape.length}]`, shape, address,
      get view() { return new Elements(kernels.buffer, Number(data), size); },
      /** Let kernels see the first rows only. @param {number} n */
      shorten(n) { new DataView(kernels.buffer).setBigInt64(Number(address) + FIELDS_BYTES, BigInt(n), true); },
    };
    if (values) array.view.set(values);
    return array;
  }

  /**
   * Return a function that calls a kernel with these arguments, which are packed only once. The
   * elements of tuples are arguments of their own. The function may replace the first ones, numbers.
   * @param {string} name
   * @param {Argument[]} args
   * @returns {(...first: number[]) => any} it returns what the kernel does: integers as numbers
   */
  prepare(name, ...args) {
    const form = this.manifest[name].find(({types}) => types.length === args.length && types.every((type, k) => accepts(type, args[k])));
    if (!form) throw new TypeError(`${name} does not accept these arguments`);
    const words = [0n]; // the bytes of the header of an array object: it has none here
    args.forEach((value, k) => {
      if (value === null) return;
      if (typeof value !== "object") {
        words.push(BigInt(value));
        return;
      }
      const flags = form.types[k].startsWith("const ") ? LAYOUT_FLAGS : LAYOUT_FLAGS | WRITEABLE;
      new DataView(this.buffer).setInt32(Number(value.address) + FLAGS, flags, true);
      words.push(value.address);
    });
    const codes = form.result.replace("(", "");
    const block = this.array("int64", [words.length + codes.length], [...words, ...[...codes].map(() => 0n)]);
    const address = new DataView(this.buffer).getBigUint64(Number(block.address) + DATA, true);
    const run = this.exports[form.symbol];
    return (...first) => {
      const {view} = block;
      first.forEach((value, k) => { view[1 + k] = BigInt(value); });
      const status = run(address);
      if (status !== 0n) throw new Error(`the kernel ${name} has failed with status ${status}`);
      const results = [...codes].map((code, k) => {
        const word = view[words.length + k];
        return code === "b" ? word !== 0n : code === "n" ? null : Number(code === "u" ? BigInt.asUintN(64, word) : word);
      });
      return form.result.startsWith("(") ? results : results[0];
    };
  }

  /** Call a kernel. @param {string} name @param {Argument[]} args @returns {any} */
  call(name, ...args) {
    return this.scope(() => this.prepare(name, ...args)());
  }
}

/** @param {string} type @param {Argument} value */
function accepts(type, value) {
  if (value === null || type === "none") return value === null && type === "none";
  if (typeof value === "object") return type.replace("const ", "") === value.type;
  return !type.endsWith("]");
}

const UNLIMITED = 2 ** 62, INACTIVE = 2 ** 30;
const MAX_ROWS = 800000; // pairs of items up to which the consistency of colors is enforced
const SIZES = 3, N_REGISTERS = 15, TARGET = 6, SOLUTIONS = 7, NODES = 8, UPDATES = 9, EXHAUSTED = 0;
const SLICE_UPDATES = 1 << 19, SLICE_MS = 40, MAX_FOUND = 1 << 20, MAX_COVERS = 1024;

const LANES = 32, LANE_BITS = 16, MAX_BOUND = 65534, MAX_OPTIONS = 65533, SIZE_CLASSES = 64; // of bitmaps
const MIN_OPTIONS = 128, MAX_TABLE_BITS = 1 << 26, MIN_UPDATES = 1 << 17; // see algorithms.py

/** @typedef {[number, number | null] | number} Bounds the last number may be null: no limit */
/** @typedef {{stop?: AbortSignal, onProgress?: (count: number, nodes: number) => void}} Running */
/**
 * @typedef {object} Problem
 * @property {{item: number, color: number}[][]} rows the nodes of each option
 * @property {number[]} options the stated number of each option
 * @property {number} nPrimary
 * @property {number} nItems
 * @property {number[] | null} low
 * @property {number[]} high
 */

/** An option, or another part of a statement, is invalid; `option` is its index, if it is one. */
export class StatementError extends Error {
  /** @param {string} message @param {number} [option] */
  constructor(message, option) {
    super(option === undefined ? message : `option ${option}: ${message}`);
    this.option = option;
  }
}

/**
 * An exact cover problem. The covers, their order and the numbers of nodes are those of
 * `ExactCover(…).search()` in Python. A name is a string or a number; an entry of an option is an
 * item, or a pair of a secondary item and a color.
 */
export class ExactCover {
  /**
   * @param {WebAssembly.Module} module
   * @param {any[][]} options
   * @param {{items?: any[], secondary?: any[], multiplicity?: Record<string, Bounds>,
   *   algorithm?: string}} [statement] the algorithm is "links", "bitset" or, by default, that of Python
   */
  constructor(module, options, {items, secondary = [], multiplicity = {}, algorithm = "auto"} = {}) {
    if (!["auto", "links", "bitset"].includes(algorithm)) throw new StatementError(`algorithm must be auto, links or bitset, not ${algorithm}`);
    this.module = module;
    this.algorithm = algorithm;
    const isSecondary = new Set(secondary);
    items ??= [...new Set(options.flat().filter((entry) => !Array.isArray(entry) && !isSecondary.has(entry)))];
    this.items = [...items, ...isSecondary];
    const numberOf = new Map(this.items.map((name, k) => [name, k]));
    if (numberOf.size < this.items.length) throw new StatementError("an item is listed twice");
    const colors = new Map(), nPrimary = items.length;
    const rows = options.map((option, k) => {
      const row = option.map((entry) => {
        const [name, color] = Array.isArray(entry) ? entry : [entry];
        const item = numberOf.get(name);
        if (item === undefined) throw new StatementError(`item ${name} is unknown`, k);
        if (color === undefined) return {item, color: 0};
        if (item < nPrimary) throw new StatementError(`item ${name} is primary, so it cannot have the color ${color}`, k);
        if (!colors.has(color)) colors.set(color, colors.size + 1);
        return {item, color: colors.get(color)};
      });
      const repeated = row.find(({item}, j) => row.some((other, i) => i < j && other.item === item));
      if (repeated) throw new StatementError(`item ${this.items[repeated.item]} appears twice`, k);
      return row;
    });
    /** @type {Problem} */
    const problem = {rows, options: [...rows.keys()], nPrimary, nItems: this.items.length, low: null, high: []};
    const low = Array(nPrimary).fill(1), high = Array(nPrimary).fill(1), sizes = itemSizes(problem);
    for (const [name, bounds] of Object.entries(multiplicity)) {
      const item = numberOf.get(name) ?? numberOf.get(Number(name));
      const [least, most] = Array.isArray(bounds) ? bounds : [bounds, bounds];
      if (item === undefined && least === 0) continue; // it is in no option
      if (item === undefined || item >= nPrimary) throw new StatementError(`item ${name} is no primary item, so it cannot have bounds`);
      low[item] = least;
      high[item] = most ?? Math.max(least, 1, sizes[item]);
      if (!(Number.isInteger(least) && Number.isInteger(high[item]) && 0 <= least && least <= high[item] && high[item] < 2 ** 31))
        throw new StatementError(`the bounds of item ${name} must satisfy 0 <= low <= high, not ${bounds}`);
    }
    const isEmpty = high.map((n) => n === 0); // no cover contains an option with one of these items
    problem.options = problem.options.filter((k) => !rows[k].some(({item}) => isEmpty[item]));
    problem.rows = problem.options.map((k) => rows[k]);
    isEmpty.forEach((holds, k) => { if (holds) high[k] = 1; });
    this.stated = {...problem, low, high};
    this.problem = consistent([...low, ...high].every((n) => n === 1) ? problem : relaxed(this.stated));
  }

  /** Return the first cover, as option numbers, or null. @param {Running} [running] */
  async first(running) {
    return (await this.solve(1, running))[0] ?? null;
  }

  /** Return the first covers, as lists of option numbers. @param {number} [limit] @param {Running} [running] */
  async solve(limit = Infinity, running = {}) {
    /** @type {number[][]} */
    const covers = [];
    await this.run(limit, running, (cover) => covers.push(cover));
    return covers;
  }

  /** Count the covers. @param {Running & {limit?: number}} [running] */
  async count({limit = Infinity, ...running} = {}) {
    return this.run(limit, running);
  }

  /**
   * Search in slices, between which the event loop continues.
   * @param {number} limit
   * @param {Running} running
   * @param {(cover: number[]) => void} [yieldCover] by default, covers are only counted
   * @returns {Promise<{count: number, nodes: number, complete: boolean}>} whether there are no others
   */
  async run(limit, {stop, onProgress}, yieldCover) {
    if (this.algorithm === "auto") this.algorithm = suggestedAlgorithm(this.module, this.problem);
    const search = new Search(new Kernels(this.module), this.problem, this.algorithm, yieldCover);
    let status = -1, start = performance.now();
    while (status !== EXHAUSTED && search.count < limit && !stop?.aborted) {
      status = search.slice(limit);
      if (performance.now() - start < SLICE_MS) continue;
      onProgress?.(search.count, search.nodes);
      await new Promise((resolve) => setTimeout(resolve));
      start = performance.now();
    }
    return {count: search.count, nodes: search.nodes, complete: status === EXHAUSTED};
  }
}

/**
 * How an algorithm begins, and what it calls its kernel with, given the arrays of its state, of which
 * the last two are added to `state`: the covers found, and the registers.
 * @typedef {{name: string, state: KernelArray[], nLevels: number, begin: (state: KernelArray[]) => void,
 *   arrange: (state: KernelArray[], budget: number) => Argument[], optionOf: (choice: number) => number}} Start
 */

/** Return the first position of each option in the list of all nodes, and the end. @param {Problem} problem */
function starts({rows}) {
  const indptr = [0];
  for (const row of rows) indptr.push(indptr[indptr.length - 1] + row.length);
  return indptr;
}

/** Start Algorithm X, or Algorithm M if there are multiplicities, on links. @param {Kernels} kernels @param {Problem} problem @returns {Start} */
function startLinks(kernels, problem) {
  const {rows, nPrimary, nItems, low, high} = problem;
  const nodes = rows.flat(), nNodes = 1 + nItems + nodes.length, indptr = starts(problem);
  /** @param {number} n @param {ArrayLike<number>} [values] */
  const words = (n, values) => kernels.array("uint32", [n], values);
  const colors = nodes.some(({color}) => color)
    ? [words(nNodes, [...Array(1 + nItems).fill(0), ...nodes.map(({color}) => color)]), words(1 + nItems)] : [null];
  const stated = [indptr, nodes.map(({item}) => item)].map((values) =>
    kernels.array("int64", [values.length], /** @type {any} */ (values.map(BigInt))));
  if (!low) {
    const block = words(SIZES + 6 * nNodes + 1 + nItems + 8 * (nPrimary + 1)); // see `allocate_block`
    // The numbers of the options, those that are given, and the sorted covers, which nothing reads here
    const [numbers, given, ends] = [0, 0, MAX_COVERS + 1].map((n) => kernels.array("int64", [n]));
    const written = [numbers, given, kernels.array("int32", [Math.max(MAX_FOUND, nPrimary + 1)]), ends];
    return {
      name: "search_in_block", nLevels: nPrimary + 1, state: [], begin() {}, optionOf: (option) => option,
      arrange: ([found, register], budget) => [block, ...colors, register, ...stated, nPrimary, nItems, found, budget, 0, ...written],
    };
  }
  const links = [...Array(5).fill(nNodes).map((n) => words(n)), words(1 + nItems)];
  kernels.call("link_options", ...links, ...stated, nPrimary);
  const capacity = high.map((n) => Math.min(n, INACTIVE));
  const nLevels = Math.min(rows.length, capacity.reduce((a, b) => a + b, 0)) + nPrimary + 1;
  const sizes = links[5].view;
  low.forEach((n, k) => { sizes[k + 1] = Math.max(0, sizes[k + 1] + 1 - n); });
  const integers = [low.map((n) => Math.min(n, INACTIVE)), capacity].map((values) => kernels.array("int32", [nPrimary + 1], [0, ...values]));
  // What exclusive items and totals would need is empty; only `start` has an element.
  const {types} = kernels.manifest.search_multiplicities[0], first = types.indexOf("int32[1]") + 2;
  const others = types.slice(first, types.indexOf("none", first)).map((type, k) =>
    kernels.array(/** @type {any} */ (type.replace("[1]", "")), [k === 1 ? 1 : 0]));
  return {
    name: "search_multiplicities", nLevels, state: [...Array(7).fill(nLevels), nPrimary + 1, nNodes].map((n) => words(n)), begin() {},
    arrange: (state, budget) => [...links, ...colors, ...integers, ...others, null, ...state, budget],
    optionOf(node) {
      let least = 0, end = indptr.length;
      while (end - least > 1) {
        const middle = (least + end) >> 1;
        if (indptr[middle] <= node - 1 - nItems) least = middle;
        else end = middle;
      }
      return least;
    },
  };
}

/** Return the shape of a table that follows another one, as `stacked_shape` does. @param {number[]} below @param {number[]} size */
function stackedShape([, options, items, chunks, vectors, groups, counted, containing, compatible, covered, option, item], [nOptions, nItems]) {
  return [
    0, nOptions, nItems, Math.ceil(nOptions / LANE_BITS), Math.max(1, Math.ceil(nOptions / (LANE_BITS * LANES))),
    Math.max(1, Math.ceil(nItems / LANES)), counted + groups * chunks, containing + items * vectors,
    compatible + options * vectors, covered + options * groups, option + options, item + items,
  ];
}

/** Start Algorithm X or M on bitmaps: see `kernels/bitset` in Python. @param {Kernels} kernels @param {Problem} problem @returns {Start} */
function startBitset(kernels, problem) {
  const {rows, nPrimary, nItems, low, high} = problem, nothing = Array(12).fill(0), indptr = starts(problem);
  /** @param {number} n @param {number[]} [values] */
  const words = (n, values) => kernels.array("uint32", [n], values);
  /** @param {number} n @param {number[]} [values] */
  const vectors = (n, values) => kernels.array("uint16", [n, LANES], values);
  /** @param {number[]} shape @param {number[]} [values] */
  const integers = (shape, values) => kernels.array("int64", shape, /** @type {any} */ (values?.map(BigInt)));
  /** @param {number[][]} sizes */
  const tables = (sizes) => {
    const [counted, containing, compatible, covered, option, item] = [...sizes, [0, 0]].reduce(stackedShape, nothing).slice(6);
    return [...[counted, containing, compatible].map((n) => vectors(n)), ...[covered, option, option, item].map((n) => words(n))];
  };
  const options = [...rows.keys()].filter((k) => rows[k].some(({item}) => item < nPrimary));
  const shape = stackedShape(nothing, [options.length, nPrimary]), [, nOptions, , , nVectors, nGroups] = shape;
  if (nOptions > MAX_OPTIONS) throw new RangeError(`bitmaps have at most ${MAX_OPTIONS} options; use links`);
  const pairs = new Map(), nodes = rows.flat();
  const colorRows = nodes.map(({item, color}) => {
    if (low && high[item] > 1) return item + 1;
    const pair = item + nItems * color;
    if (color && !pairs.has(pair)) pairs.set(pair, 1 + nItems + pairs.size);
    return pairs.get(pair) ?? 0;
  });
  const entries = [integers([indptr.length], indptr), words(nodes.length, nodes.map(({item}) => item + 1)), words(nodes.length, colorRows)];
  const root = tables([[nOptions, nPrimary]]), scratch = [vectors((1 + nItems + pairs.size) * nVectors), words(nPrimary)];
  root[5].view.set(options);
  root[6].view.set(options.length ? [...Array(nPrimary).keys()] : []);
  kernels.call("build_table", ...entries, ...root, ...shape, ...scratch, 0, nPrimary + 3 * nOptions + nGroups);
  const smaller = [];
  for (let n = nOptions >> 1; n; n >>= 1) smaller.push([n, nPrimary]);
  let nLevels = nPrimary + 1;
  /** @type {Argument[]} */
  let bounds = [null];
  if (low) {
    nLevels += Math.min(nOptions, high.reduce((sum, n) => sum + Math.min(n, nOptions), 0));
    bounds = [...[low, high].map((values) => vectors(nGroups, values.map((n) => Math.min(n, MAX_BOUND)))),
      vectors(nLevels * nGroups), vectors(nLevels * nGroups)];
  }
  const before = [...entries, ...root, ...tables(smaller), ...scratch, ...bounds];
  const level = () => integers([nLevels]), bitmaps = () => vectors(nLevels * nVectors);
  return {
    name: "search_bitset", nLevels, arrange: (state, budget) => [...before, ...state, budget],
    state: [words(nLevels), level(), bitmaps(), bitmaps(), kernels.array("uint32", [nLevels, nGroups]), level(), words(nLevels), level(), level(),
      level(), integers([1 + smaller.length, shape.length], [...shape, ...Array(smaller.length * shape.length).fill(0)]), vectors(nGroups),
      kernels.array("float64", [SIZE_CLASSES])],
    begin: (state) => { kernels.call("fill_root", ...bounds, ...state, ...shape); },
    optionOf: (option) => option,
  };
}

/** A search that can be continued. */
class Search {
  /** @param {Kernels} kernels @param {Problem} problem @param {string} algorithm @param {(cover: number[]) => void} [yieldCover] */
  constructor(kernels, problem, algorithm, yieldCover) {
    this.problem = problem;
    this.yieldCover = yieldCover;
    this.kernels = kernels;
    this.start = (algorithm === "bitset" ? startBitset : startLinks)(kernels, problem);
    this.width = 1 + this.start.nLevels;
    this.nRows = yieldCover ? Math.max(1, Math.min(MAX_COVERS, Math.floor(MAX_FOUND / this.width))) : 0;
    this.found = kernels.array("uint32", [this.nRows, this.width]);
    this.register = kernels.array("int64", [N_REGISTERS + (algorithm === "bitset" ? 2 : 0)]);
    this.state = [...this.start.state, this.found, this.register];
    this.start.begin(this.state);
    this.register.view[12] = 1n; // the random state
  }

  get count() { return Number(this.register.view[SOLUTIONS]); }
  get nodes() { return Number(this.register.view[NODES]); }
  get updates() { return Number(this.register.view[UPDATES]); }

  /** Search until a budget of updates is spent, and return the status. @param {number} limit @param {number} budget */
  slice(limit, budget = SLICE_UPDATES) {
    const {register, kernels, start, width} = this, before = this.count;
    const wanted = Math.min(limit - before, this.yieldCover ? this.nRows : UNLIMITED);
    if (this.yieldCover) this.found.shorten(wanted); // kernels store the covers from the first row on
    register.view[TARGET] = BigInt(before) + BigInt(Math.min(wanted, UNLIMITED / 2));
    const status = kernels.call(start.name, ...start.arrange(this.state, this.updates + budget));
    const {view} = this.found;
    for (let row = 0; this.yieldCover && row < this.count - before; row++) {
      const choices = view.subarray(row * width + 1, row * width + 1 + view[row * width]);
      this.yieldCover([...choices].map((choice) => this.problem.options[start.optionOf(choice)]).sort((a, b) => a - b));
    }
    return status;
  }
}

/** Choose an algorithm as `start_suggested` does: by the work of links for a fraction of a millisecond. @param {WebAssembly.Module} module @param {Problem} problem */
function suggestedAlgorithm(module, problem) {
  const n = problem.rows.length;
  if ((!problem.low && n < MIN_OPTIONS) || Math.max(n, problem.nItems) ** 2 > MAX_TABLE_BITS) return "links";
  const trial = new Search(new Kernels(module), problem, "links");
  const isLong = trial.slice(Infinity, MIN_UPDATES) !== EXHAUSTED;
  return isLong && trial.updates > trial.nodes * (4 + (n * problem.nPrimary) / 512 / 28) ? "bitset" : "links";
}

/** @param {Problem} problem */
function itemSizes({rows, nItems}) {
  const sizes = Array(nItems).fill(0);
  for (const {item} of rows.flat()) sizes[item]++;
  return sizes;
}

/**
 * Make items that are covered at most once secondary, and remove those without a limit. Each option
 * keeps a primary item.
 * @param {Problem & {low: number[]}} problem
 * @returns {Problem}
 */
function relaxed(problem) {
  const {rows, nPrimary, nItems, low, high} = problem, sizes = itemSizes(problem);
  const isUnlimited = high.map((n, k) => n >= sizes[k]);
  const isLoose = low.map((n, k) => n === 0 && (high[k] === 1 || isUnlimited[k]));
  const isKept = rows.map((row) => row.some(({item}) => item < nPrimary && !isLoose[item]));
  rows.forEach((row, k) => { if (!isKept[k]) for (const {item} of row) if (item < nPrimary) isLoose[item] = false; });
  const items = [...Array(nItems).keys()];
  const primary = items.filter((k) => k < nPrimary && !isLoose[k]);
  const others = items.filter((k) => k >= nPrimary || (isLoose[k] && !isUnlimited[k]));
  const numberOf = new Map([...primary, ...others].map((item, k) => [item, k]));
  const bounds = [low, high].map((values) => primary.map((k) => values[k]));
  return {
    ...problem, nPrimary: primary.length, nItems: numberOf.size,
    rows: rows.map((row) => row.filter(({item}) => numberOf.has(item)).map(({item, color}) => ({item: numberOf.get(item) ?? 0, color}))),
    low: bounds.flat().every((n) => n === 1) ? null : bounds[0], high: bounds[1],
  };
}

/**
 * Remove options whose colors no option of some primary item supports: if each of its options
 * contains a secondary item, a cover gives that item one of their colors. No options remain if there is no cover.
 * @param {Problem} problem
 * @returns {Problem}
 */
function consistent(problem) {
  const {nPrimary, low} = problem;
  if (!problem.rows.some((row) => row.some(({color}) => color))) return problem;
  /** @param {{item: number}} node */
  const isNeeded = ({item}) => item < nPrimary && (!low || low[item] > 0);
  /** @type {Map<number, Set<number>>} */
  const groups = new Map();
  for (const {item, color} of problem.rows.flat())
    if (item >= nPrimary) groups.set(item, (groups.get(item) ?? new Set()).add(color));
  const pairs = new Map(); // the supports of each pair of a needed and a secondary item, by color
  let nRows = 0;
  for (const row of problem.rows)
    for (const {item} of row.filter(isNeeded))
      for (const node of row.filter((each) => each.item >= nPrimary)) {
        pairs.set(item * problem.nItems + node.item, {item, shared: node.item});
        nRows++;
      }
  const nCounts = [...pairs.values()].reduce((sum, {shared}) => sum + (groups.get(shared)?.size ?? 0), 0);
  if (nRows > MAX_ROWS || nCounts > MAX_ROWS) return problem;
  let rows = problem.rows, options = problem.options, nBefore;
  do {
    const sizes = itemSizes({...problem, rows}), supports = new Map([...pairs.keys()].map((key) => [key, {n: 0, colors: new Set()}]));
    for (const row of rows)
      for (const {item} of row.filter(isNeeded))
        for (const node of row.filter((each) => each.item >= nPrimary)) {
          const support = supports.get(item * problem.nItems + node.item);
          if (support) { support.n++; support.colors.add(node.color); }
        }
    /** @type {Map<number, Set<number>[]>} */
    const allowed = new Map(); // the colors that a secondary item can have, by primary item
    for (const [key, {item, shared}] of pairs) {
      const support = supports.get(key);
      if (support && support.n === sizes[item]) allowed.set(shared, [...(allowed.get(shared) ?? []), support.colors]);
    }
    const kept = rows.map((row) => row.every(({item, color}) => (allowed.get(item) ?? []).every((colors) => colors.has(color))));
    nBefore = rows.length;
    [rows, options] = [rows.filter((_, k) => kept[k]), options.filter((_, k) => kept[k])];
  } while (rows.length < nBefore);
  const sizes = itemSizes({...problem, rows});
  const isImpossible = itemSizes(problem).some((size, item) => {
    const need = low ? low[item] : 1;
    return item < nPrimary && size >= need && sizes[item] < need;
  });
  return isImpossible ? {...problem, rows: [], options: []} : {...problem, rows, options};
}

// The rules of deductions, what `find_step` returns, and its registers: see kernels/deduce/steps.py
const ONLY = 0, CONFLICT = 1, SET = 2, CHAIN = 4, CASES = 6;
const KINDS = ["only", "conflict", "set", "set", "chain", "total", "cases"];
const CONTINUES = 0, FOUND = 1, LEVEL = 0, N_REASON = 3, N_ROUNDS = 4, LACKING = 5;
const ALL_ROUNDS = 1 << 30, UNLIMITED_ROOM = 1 << 30, MAX_SET_BYTES = 1 << 26;
const MAX_CHOICES = 1 << 17, FEW_ENDS = 4; // see cases.py

/** @typedef {{kind: number, rows: number[], columns: number[], options: {option: number, row: number, column: number}[]}} Table */
/** @typedef {{rules: number[][], classes: number[], tables: Table[]}} Techniques as of levels.py; the last rule is CASES */
/** @typedef {{option: number, item: number, cases: DeadEnd[], nEnds: number}} DeadEnd */
/**
 * A dead end of options in words: what follows from a choice in rounds, and the item that lacks
 * options, or distinguishes cases.
 * @typedef {object} Case
 * @property {number} option
 * @property {{round: number, item: any, option: number}[]} links
 * @property {any} item
 * @property {Case[]} cases
 */
/**
 * A step, with the names of items and the numbers of options: those left for the first item, and the
 * items that these and all removed ones share.
 * @typedef {object} Step
 * @property {number} level
 * @property {string} kind
 * @property {number} size
 * @property {any[]} items
 * @property {number | null} chosen
 * @property {number[]} removed
 * @property {number[]} before the options that are chosen before the step
 * @property {Case | null} case
 * @property {number[]} left
 * @property {any[]} shared
 */

/** Return the numbers of the bits of a set. @param {Uint32Array} words */
function bitsOf(words) {
  /** @type {number[]} */
  const found = [];
  words.forEach((word, k) => { for (let rest = word; rest; rest &= rest - 1) found.push(32 * k + 31 - Math.clz32(rest & -rest)); });
  return found;
}

/**
 * Run a generator in slices, between which the event loop continues, and return its result.
 * @template T @param {Generator<void, T>} work @param {AbortSignal} [stop] @returns {Promise<T>}
 */
async function inSlices(work, stop) {
  try {
    for (let start = performance.now(); ; ) {
      const {done, value} = work.next();
      if (done) return value;
      if (performance.now() - start < SLICE_MS) continue;
      await pause(stop);
      start = performance.now();
    }
  } finally {
    work.return(/** @type {any} */ (null));
  }
}

/** What follows from a problem, step by step: the steps of `ExactCover.deduce`, and of `dlx_numba.deduce` with its techniques. */
export class Deduction {
  /**
   * @param {WebAssembly.Module} module
   * @param {any[][]} options
   * @param {ConstructorParameters<typeof ExactCover>[2] & {given?: number[], techniques?: Techniques}} [statement]
   */
  constructor(module, options, {given = [], techniques, ...statement} = {}) {
    const {items, stated} = new ExactCover(module, options, statement), {nPrimary, nItems} = stated;
    const room = [...stated.high, ...Array(nItems - nPrimary).fill(1)].map((bound) => Math.min(bound, UNLIMITED_ROOM));
    const need = room.map((_, k) => Math.min(stated.low?.[k] ?? 0, UNLIMITED_ROOM));
    /** @type {Map<number, number>} */
    const colorOf = new Map(); // of items to which given options give one
    /** @param {{item: number, color: number}} node */
    const isPossible = ({item, color}) => (color && colorOf.has(item) ? colorOf.get(item) === color : room[item] > 0);
    /** @type {number[]} */
    this.chosen = [];
    for (const number of given) {
      const row = stated.rows[stated.options.indexOf(number)] ?? [];
      this.chosen.push(number);
      if (!row.every(isPossible)) continue;
      for (const {item, color} of row) {
        need[item] = Math.max(0, need[item] - 1);
        room[item]--;
        if (color) colorOf.set(item, color);
      }
    }
    const isLeft = stated.rows.map((row, k) => row.some(({item}) => item < nPrimary) && row.every(isPossible) && !given.includes(stated.options[k]));
    const kept = [...stated.rows.keys()].filter((k) => isLeft[k]), rows = kept.map((k) => stated.rows[k]);
    const n = rows.length, nWords = Math.max(1, Math.ceil(n / 64));
    if (8 * n * nWords > MAX_SET_BYTES) throw new RangeError(`steps are sought for up to ${Math.floor(Math.sqrt(8 * MAX_SET_BYTES)).toLocaleString("en-US")} options`);
    this.names = items;
    this.rows = rows.map((row) => row.map(({item}) => item));
    this.numbers = kept.map((k) => stated.options[k]); // of the options of bits
    const bitOf = new Map(this.numbers.map((number, bit) => [number, bit]));
    const kernels = new Kernels(module), isColored = Array(nItems).fill(false), sizes = Array(nItems).fill(0);
    for (const {item, color} of rows.flat()) {
      sizes[item]++;
      if (color) isColored[item] = true;
    }
    const isMultiple = room.map((bound) => bound > 1), isBounded = room.some((bound, k) => k < nPrimary && bound > 0 && (bound > 1 || need[k] !== 1));
    this.rules = techniques?.rules ?? [[ONLY, 1, 1], isBounded ? [CHAIN, 0, 0] : [CONFLICT, 1, 1], [SET, 2, 0], [SET, 3, 0], [SET, 4, 0], [CHAIN, ALL_ROUNDS, 0]];
    isColored.forEach((holds, k) => { if (holds) room[k] = UNLIMITED_ROOM; });
    /** @param {keyof typeof ELEMENTS} type @param {number[]} shape @param {ArrayLike<any>} [values] */
    const array = (type, shape, values) => kernels.array(type, shape, /^u?int64$/.test(type) && values ? Array.from(values, BigInt) : values);
    const starts = [0];
    for (const row of rows) starts.push(starts[starts.length - 1] + row.length);
    const tables = [array("uint32", [n + 1], starts), array("uint32", [starts[n]], this.rows.flat()), array("uint64", [nItems, nWords]),
      array("uint64", [n, nWords]), array("bool", [nItems], isMultiple.map(Number)),
      // no totals: NO_TOTALS of totals.py
      ...[[0], [0], [0], [0], [0, 0], [0]].map((shape) => array("int64", shape))];
    const remaining = [array("uint64", [nWords]), array("int32", [nItems], sizes.map((size, k) => size - need[k])), array("int32", [nItems], need),
      array("int32", [nItems], room), ...[n, n, nItems].map((length) => array("uint32", [length])),
      ...[0, 0].map((length) => array("int64", [length]))];
    const simple = this.rules.filter(([rule]) => rule !== CASES), depth = 1 + 2 * Math.max(1, ...simple.map(([rule, size]) => (rule === SET ? size : 0)));
    const levels = [array("int64", [simple.length, 3], simple.flat()), array("uint8", [nItems], techniques?.classes ?? []), ...arrangeTables(array, techniques?.tables ?? [], bitOf),
      array("uint64", [nWords]), array("int64", [Math.max(depth, nItems)]), array("int64", [2, depth]), array("uint64", [3, depth, nWords]), array("int64", [6])];
    /** @type {() => number} */
    this.findStep = kernels.prepare("find_step", true, ...levels, ...tables, ...remaining);
    /** @type {(option: number, nRounds: number, nTrail: number) => number[]} */
    this.follow = kernels.prepare("follow", 0, 0, 0, ...tables, ...remaining);
    /** @type {(begin: number, nTrail: number) => void} */
    this.undo = kernels.prepare("undo", 0, 0, ...tables, ...remaining);
    // Nothing is allocated from here on, so the views stay valid.
    /** @param {KernelArray} set */
    const words = ({view}) => new Uint32Array(view.buffer, view.byteOffset, 2 * view.length);
    const [containing, compatible] = [tables[2], tables[3]].map(words);
    this.containing = items.map((_, k) => containing.subarray(2 * nWords * k, 2 * nWords * (k + 1)));
    const [available, slack, needed, , trail, cause] = remaining;
    /** @type {Uint32Array} */
    this.available = words(available);
    this.marked = words(levels[7]);
    /** @type {Int32Array} */
    this.slack = slack.view;
    /** @type {Int32Array} */
    this.need = needed.view;
    /** @type {Uint32Array} */
    this.trail = trail.view;
    /** @type {Uint32Array} */
    this.cause = cause.view;
    /** @type {BigInt64Array} */
    this.reason = levels[8].view;
    /** @type {BigInt64Array} */
    this.progress = levels[11].view;
    this.isColored = isColored;
    for (let k = 0; k < n; k++) this.available[k >> 5] |= 1 << (k & 31);
    rows.forEach((row, k) => { for (const {item} of row) this.containing[item][k >> 5] |= 1 << (k & 31); });
    /** @type {Map<number, Uint32Array>} */
    const groups = new Map(); // the options that give an item a color
    const shares = rows.map((row) => row.filter(({item, color}) => color && !isMultiple[item]));
    /** @param {{item: number, color: number}} node */
    const codeOf = ({item, color}) => item + nItems * color;
    shares.forEach((row, k) => {
      for (const node of row) {
        const group = groups.get(codeOf(node)) ?? new Uint32Array(2 * nWords);
        group[k >> 5] |= 1 << (k & 31);
        groups.set(codeOf(node), group);
      }
    });
    rows.forEach((row, k) => {
      const own = compatible.subarray(2 * nWords * k, 2 * nWords * (k + 1));
      own.set(this.available);
      for (const node of row.filter(({item}) => !isMultiple[item])) {
        const group = groups.get(codeOf(node));
        for (let at = 0; at < own.length; at++) own[at] &= ~this.containing[node.item][at] | (group && node.color ? group[at] : 0);
      }
    });
    this.lacking = [...need.keys()].find((item) => this.slack[item] < 0 && this.need[item] > 0) ?? -1;
    /** @type {Set<number>} */
    this.possible = new Set(); // options in covers
    /** @type {Map<number, number>} */
    this.refuted = new Map(); // options that lead to some number of dead ends at most
    this.nChoices = 0;
    /** @type {Promise<Step | null>} */
    this.last = Promise.resolve(null);
  }

  /** Whether the chosen options are the only cover. */
  get isSolved() {
    return this.lacking < 0 && this.need.every((need) => need <= 0) && this.available.every((word) => !word);
  }

  /** The name of an item that has too few options left, or null. */
  get lackingItem() {
    return this.lacking < 0 ? null : this.names[this.lacking];
  }

  /** Remove an option, and return an item that then lacks options, or -1. @param {number} bit */
  remove(bit) {
    let lacking = -1;
    this.available[bit >> 5] &= ~(1 << (bit & 31));
    for (const item of this.rows[bit]) if (--this.slack[item] < 0 && this.need[item] > 0) lacking = item;
    return lacking;
  }

  /** Take the simplest step, and return it, or null if there is none. @param {{stop?: AbortSignal}} [running] */
  next({stop} = {}) {
    const step = this.last.then(() => { // a search that is stopped first undoes its choices
      stop?.throwIfAborted();
      return this.lacking >= 0 || this.isSolved ? null : inSlices(this.find(), stop);
    });
    this.last = step.catch(() => null);
    return step;
  }

  /** @returns {Generator<void, Step | null>} */
  *find() {
    const before = this.available.slice();
    let status;
    while ((status = this.findStep()) === CONTINUES) yield;
    if (status === FOUND) {
      this.lacking = Number(this.progress[LACKING]);
      return this.describe(before);
    }
    const hasCases = this.rules.some(([rule]) => rule === CASES), deadEnd = hasCases ? yield* this.findCases() : null;
    if (!deadEnd) return null;
    const reason = this.trace(deadEnd, ALL_ROUNDS);
    this.lacking = this.remove(deadEnd.option);
    return this.step(this.rules.length - 1, CASES, deadEnd.nEnds, [], null, [deadEnd.option], reason, before);
  }

  /** Return the step that the kernel has taken. @param {Uint32Array} before */
  describe(before) {
    const level = Number(this.progress[LEVEL]), [rule, stated] = this.rules[level];
    this.progress[LEVEL] = 0n;
    const items = Array.from(this.reason.subarray(0, Number(this.progress[N_REASON])), Number);
    const removed = bitsOf(before.map((word, k) => word & ~this.available[k]));
    if (rule === ONLY) {
      const [chosen] = bitsOf(this.marked);
      return this.step(level, rule, 1, items, chosen, removed.filter((bit) => bit !== chosen), null, before);
    }
    if (rule !== CHAIN) return this.step(level, rule, stated, items, null, removed, null, before);
    const size = Number(this.progress[N_ROUNDS]), [option] = removed;
    this.undo(0, 1);
    const reason = this.trace({option, item: -1, cases: [], nEnds: 1}, size);
    this.remove(option);
    const lacking = size ? [] : [this.names.indexOf(reason.item)];
    return this.step(level, size ? rule : CONFLICT, Math.max(1, size), lacking, null, removed, reason, before);
  }

  /**
   * @param {number} level @param {number} rule @param {number} size @param {number[]} items @param {number | null} chosen
   * @param {number[]} removed @param {Case | null} reason @param {Uint32Array} before @returns {Step}
   */
  step(level, rule, size, items, chosen, removed, reason, before) {
    this.progress[LEVEL] = 0n;
    const left = items.length ? bitsOf(before.map((word, k) => word & this.containing[items[0]][k])) : [];
    const isShared = (/** @type {number} */ item) => !this.isColored[item] && [...left, ...removed].every((bit) => this.rows[bit].includes(item));
    const shared = left.length && rule === CONFLICT && !reason ? this.rows[left[0]].filter(isShared).sort((a, b) => a - b) : [];
    const number = (/** @type {number} */ bit) => this.numbers[bit], chosenBefore = [...this.chosen];
    if (chosen !== null) this.chosen.push(number(chosen));
    return {
      level, kind: KINDS[rule], size, items: items.map((item) => this.names[item]), chosen: chosen === null ? null : number(chosen),
      removed: removed.map(number), before: chosenBefore, case: reason, left: left.map(number), shared: shared.map((item) => this.names[item]),
    };
  }

  /**
   * Find an option all of whose cases are dead ends, the fewest of all options: see `CaseSearch`.
   * @returns {Generator<void, DeadEnd | null>}
   */
  *findCases() {
    const undecided = () => bitsOf(this.available).filter((bit) => !this.possible.has(bit));
    let limit = 2;
    /** @type {DeadEnd | null} */
    let found = null;
    this.nChoices = 0;
    const first = new Set(undecided());
    for (const [option, nEnds] of [...this.refuted].sort((a, b) => a[1] - b[1])) {
      this.refuted.delete(option);
      const known = first.has(option) ? yield* this.examine(option, nEnds, 0) : null;
      if (known) return known;
    }
    for (let options; !found && (options = undecided()).length; limit *= 2)
      for (const option of options) {
        if (this.nChoices > MAX_CHOICES) return null;
        const deadEnd = yield* this.examine(option, limit, 0);
        if (!deadEnd) continue;
        this.refuted.set(option, deadEnd.nEnds); // which saves the search for the next step
        if (found && deadEnd.nEnds >= found.nEnds) continue;
        found = deadEnd;
        limit = deadEnd.nEnds - Number(deadEnd.nEnds > FEW_ENDS);
      }
    return found;
  }

  /**
   * Return the dead end of a choice, or null if it has more than `limit`, or a cover.
   * @param {number} option @param {number} limit @param {number} nTrail @returns {Generator<void, DeadEnd | null>}
   */
  *examine(option, limit, nTrail) {
    this.nChoices++;
    if (limit < 1 || this.nChoices > MAX_CHOICES) return null;
    yield;
    const [, lacking, end] = this.follow(option, ALL_ROUNDS, nTrail);
    try {
      if (lacking >= 0) return {option, item: lacking, cases: [], nEnds: 1};
      if (!this.need.every((need) => need <= 0)) return yield* this.distinguish(option, limit, end);
      for (const entry of this.trail.subarray(0, end)) if (entry & 1) this.possible.add(entry >> 1);
      return null;
    } finally {
      this.undo(nTrail, end);
    }
  }

  /**
   * Return the dead end of a choice that leaves cases.
   * @param {number} option @param {number} limit @param {number} nTrail @returns {Generator<void, DeadEnd | null>}
   */
  *distinguish(option, limit, nTrail) {
    let item = -1;
    this.need.forEach((need, k) => { if (need > 0 && (item < 0 || need + this.slack[k] < this.need[item] + this.slack[item])) item = k; });
    const options = bitsOf(this.available.map((word, k) => word & this.containing[item][k]));
    /** @type {DeadEnd[]} */
    const cases = [];
    let nEnds = 0;
    for (const [k, other] of options.entries()) {
      const deadEnd = yield* this.examine(other, limit - nEnds - (options.length - 1 - k), nTrail);
      if (!deadEnd) return null;
      cases.push(deadEnd);
      nEnds += deadEnd.nEnds;
    }
    return {option, item, cases, nEnds};
  }

  /** Return a dead end with the choices on which it depends: see `Tracer`. @param {DeadEnd} deadEnd @param {number} nRounds */
  trace(deadEnd, nRounds) {
    /** @type {Map<number, number>} */
    const removedBy = new Map(); // the choice that removed an option
    /** @type {Map<number, number>} */
    const itemOf = new Map(); // that a choice covers, unless it is an assumption
    /** @param {number} item @returns {Set<number>} the choices that have removed options of it */
    const causesOf = (item) => new Set(bitsOf(this.containing[item]).flatMap((bit) => removedBy.get(bit) ?? []));
    /** @param {DeadEnd} deadEnd @param {number} nTrail @returns {{reason: Case, needed: Set<number>}} */
    const traced = ({option, item: stated, cases: ends}, nTrail) => {
      const [, lacking, end] = this.follow(option, nRounds, nTrail), item = ends.length ? stated : lacking;
      const rounds = new Map([[option, 0]]), removed = [], chosen = [];
      for (let at = nTrail + 1, last = option; at < end; at++) {
        const other = this.trail[at] >> 1;
        if (this.trail[at] & 1) {
          chosen.push((last = other));
          itemOf.set(other, this.cause[at]);
        } else {
          removed.push(other);
          removedBy.set(other, last);
        }
      }
      for (const choice of chosen) rounds.set(choice, 1 + Math.max(0, ...[...causesOf(itemOf.get(choice) ?? -1)].map((k) => rounds.get(k) ?? 0)));
      /** @type {Set<number>} */
      const needed = new Set();
      for (const items = [item]; items.length; )
        for (const choice of causesOf(/** @type {number} */ (items.pop()))) {
          const covered = itemOf.get(choice);
          if (covered === undefined || needed.has(choice)) continue;
          needed.add(choice);
          items.push(covered);
        }
      const cases = ends.map((each) => {
        const {reason, needed: others} = traced(each, end);
        for (const choice of others) needed.add(choice);
        return reason;
      });
      const links = chosen.filter((choice) => needed.has(choice)).map((choice) => ({round: rounds.get(choice) ?? 0, item: itemOf.get(choice) ?? -1, option: choice}));
      links.sort((a, b) => a.round - b.round || a.item - b.item || a.option - b.option);
      for (const choice of chosen) itemOf.delete(choice);
      for (const other of removed) removedBy.delete(other);
      this.undo(nTrail, end);
      const named = links.map(({round, item: own, option: choice}) => ({round, item: this.names[own], option: this.numbers[choice]}));
      return {reason: {option: this.numbers[option], links: named, item: this.names[item], cases}, needed};
    };
    return traced(deadEnd, 0).reason;
  }
}

/**
 * Return the arrays of tables that are searched for sets: `Grids` of steps.py.
 * @param {(type: keyof typeof ELEMENTS, shape: number[], values?: ArrayLike<any>) => KernelArray} array
 * @param {Table[]} tables @param {Map<number, number>} bitOf
 */
function arrangeTables(array, tables, bitOf) {
  const n = Math.max(1, ...tables.flatMap(({rows, columns}) => [rows.length, columns.length]));
  /** @param {(table: Table) => number[]} side */
  const sides = (side) => array("int64", [tables.length, n], tables.flatMap((table) => Array.from({length: n}, (_, k) => side(table)[k] ?? -1)));
  const optionAt = Array(tables.length * n * n).fill(-1);
  tables.forEach(({options}, k) => { for (const {option, row, column} of options) optionAt[(k * n + row) * n + column] = bitOf.get(option) ?? -1; });
  return [array("int64", [tables.length], tables.map(({kind}) => kind)), sides(({rows}) => rows), sides(({columns}) => columns),
    array("int64", [tables.length, n, n], optionAt), array("uint64", [4, n + 1])];
}

const CELLS = 81, MAX_DEPTH = 270, SWEEPS = 1 << 14, BATCH = 1 << 13, MIN_PART = 4096;
const CLASSES = ["invalid", "simple", "easy", "intermediate", "expert"], INTERMEDIATE = 3, EXPERT = 4, TECHNIQUE_ROWS = 59;
const ATTEMPTS = 32, EXCLUDED = 9, MASK = 2n ** 64n - 1n;

/** @typedef {{limit?: number, workers?: number, stop?: AbortSignal}} SolveOptions */
/** @typedef {{counts: number[], guesses: number[], solutions: string[]}} Solved `""` if there is none */

/** A puzzle is invalid; `index` is its number. */
export class PuzzleError extends Error {
  /** @param {number} index @param {string} reason */
  constructor(index, reason) {
    super(`puzzle ${index + 1}: ${reason}`);
    this.index = index;
    this.reason = reason;
  }
}

/** Return why a string is no puzzle of 81 cells, or "". @param {string} puzzle */
export function findDefect(puzzle) {
  const other = /[^0-9.*_-]/u.exec(puzzle);
  return other ? `cell ${other.index + 1}: ${other[0]} is neither a digit nor a dot`
    : puzzle.length === CELLS ? "" : `${puzzle.length} cells instead of ${CELLS}`;
}

/** The values of characters, and 255 for those that are neither a digit nor a sign of an empty cell. */
const VALUES = Uint8Array.from({length: 256}, (_, code) => (code < 48 || code > 57 ? (".*_-".includes(String.fromCharCode(code)) ? 0 : 255) : code - 48));

/** Return the values of puzzles, 0 for an empty cell. @param {string[]} puzzles */
function readBoards(puzzles) {
  const boards = new TextEncoder().encode(puzzles.join(""));
  let defects = 0;
  for (let k = 0; k < boards.length; k++) defects |= boards[k] = VALUES[boards[k]];
  if (defects >= 128 || puzzles.some((puzzle) => puzzle.length !== CELLS)) {
    const index = puzzles.findIndex(findDefect);
    throw new PuzzleError(index, findDefect(puzzles[index]));
  }
  return boards;
}

/** Return boards as strings. @param {Uint8Array} values */
function readStrings(values) {
  const words = new Uint32Array(Math.ceil(values.length / 4)), digits = new Uint8Array(words.buffer, 0, values.length);
  digits.set(values);
  for (let k = 0; k < words.length; k++) words[k] += 0x30303030; // four digits at once
  const text = new TextDecoder().decode(digits);
  return Array.from({length: values.length / CELLS}, (_, k) => text.slice(CELLS * k, CELLS * (k + 1)));
}

/** Return the arrays of a `Workspace` of the engine. @param {Kernels} kernels */
function allocateWorkspace(kernels) {
  /** @param {number[]} shape */
  const rows = (...shape) => kernels.array("uint16", shape);
  const workspace = [rows(CELLS, LANES), rows(3, LANES), rows(101, LANES), rows(LANES, MAX_DEPTH, 3 * LANES),
    kernels.array("int64", [LANES, 12]), kernels.array("int64", [3])];
  workspace[1].view.fill(1, 2 * LANES); // the row of ones
  return workspace;
}

/**
 * Solve boards in this thread, in slices, between which the event loop continues.
 * @param {WebAssembly.Module} module @param {Uint8Array} boards @param {number} limit @param {AbortSignal} [stop]
 */
async function solveBoards(module, boards, limit, stop) {
  const n = boards.length / CELLS, kernels = new Kernels(module), {end} = kernels;
  const solved = {counts: new Float64Array(n), guesses: new Float64Array(n), values: new Uint8Array(boards.length)};
  for (let first = 0, start = performance.now(); first < n; first += BATCH) {
    kernels.end = end;
    const part = boards.subarray(CELLS * first, CELLS * (first + BATCH)), size = part.length / CELLS;
    const values = kernels.array("uint8", [size, CELLS]), [counts, guesses] = [0, 0].map(() => kernels.array("int64", [size]));
    const run = kernels.prepare("solve_lanes", ...allocateWorkspace(kernels), SWEEPS,
      kernels.array("uint8", [size, CELLS], part), limit, values, counts, guesses);
    for (let isDone = false; !isDone; ) {
      isDone = run();
      if (performance.now() - start < SLICE_MS) continue;
      await pause(stop);
      start = performance.now();
    }
    solved.values.set(values.view, CELLS * first);
    solved.counts.set(Float64Array.from(counts.view, Number), first);
    solved.guesses.set(Float64Array.from(guesses.view, Number), first);
  }
  return solved;
}

/** Let the event loop continue, and throw if the signal is set. @param {AbortSignal} [stop] */
async function pause(stop) {
  await new Promise((resolve) => setTimeout(resolve));
  stop?.throwIfAborted();
}

/** Solve boards in a Web Worker. @param {any} message @param {AbortSignal} [stop] @returns {ReturnType<typeof solveBoards>} */
function solveInWorker(message, stop) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(import.meta.url, {type: "module"});
    /** @param {() => void} settle */
    const end = (settle) => { worker.terminate(); settle(); };
    stop?.addEventListener("abort", () => end(() => reject(stop.reason)), {once: true});
    worker.onerror = (event) => end(() => reject(new Error(event.message)));
    worker.onmessage = ({data}) => end(() => resolve(data));
    worker.postMessage(message, [message.boards.buffer]);
  });
}

/** Solve puzzles. @param {WebAssembly.Module} module @param {string[]} puzzles @param {SolveOptions} [options] @returns {Promise<Solved>} */
async function solve(module, puzzles, {limit = 2, workers = 1, stop} = {}) {
  const boards = readBoards(puzzles), size = CELLS * Math.max(MIN_PART, Math.ceil(puzzles.length / workers));
  const starts = [...Array(Math.ceil(boards.length / size)).keys()].map((k) => k * size);
  stop?.throwIfAborted();
  const parts = starts.length > 1 && typeof Worker !== "undefined"
    ? await Promise.all(starts.map((start) => solveInWorker({module, limit, boards: boards.slice(start, start + size)}, stop)))
    : [await solveBoards(module, boards, limit, stop)];
  const counts = parts.map((part) => Array.from(part.counts)), guesses = parts.map((part) => Array.from(part.guesses));
  return {counts: counts.flat(), guesses: guesses.flat(), solutions: parts.flatMap(({values}, k) => readStrings(values).map((solution, j) => (counts[k][j] ? solution : "")))};
}

/**
 * Return the class of each puzzle, as qqwing has them.
 * @param {WebAssembly.Module} module
 * @param {string[]} puzzles
 * @param {{stop?: AbortSignal, onProgress?: (count: number) => void}} [options]
 */
async function rate(module, puzzles, {stop, onProgress} = {}) {
  const boards = readBoards(puzzles), kernels = new Kernels(module);
  /** @type {{difficulty: string}[]} */
  const rated = [];
  while (rated.length < puzzles.length) {
    const first = rated.length, part = boards.subarray(CELLS * first, CELLS * (first + BATCH)), n = part.length / CELLS;
    const codes = kernels.scope(() => {
      const classes = kernels.array("uint8", [n]);
      kernels.call("classify_lanes", kernels.array("uint8", [n, CELLS], part), INTERMEDIATE,
        kernels.array("uint16", [CELLS, LANES]), kernels.array("uint16", [TECHNIQUE_ROWS, LANES]), kernels.array("int64", [2, LANES]), classes);
      return [...classes.view];
    });
    const unsolved = [...codes.keys()].filter((k) => codes[k] === EXPERT);
    const {counts} = await solve(module, unsolved.map((k) => puzzles[first + k]), {stop});
    unsolved.forEach((k, j) => { if (counts[j] !== 1) codes[k] = 0; });
    for (const code of codes) rated.push({difficulty: CLASSES[code]});
    onProgress?.(rated.length);
    await pause(stop);
  }
  return rated;
}

/** Return the first `n` words of 64 bits of NumPy's `SeedSequence`. @param {bigint} seed @param {number} n */
function seedWords(seed, n) {
  /** @type {number[]} */
  const entropy = [];
  do entropy.push(Number(seed & 0xffffffffn)); while ((seed >>= 32n));
  let factor = 0x43b0d7e5, multiplier = 0x931e8875;
  /** @param {number} value */
  const hashed = (value) => {
    value ^= factor;
    factor = Math.imul(factor, multiplier);
    value = Math.imul(value, factor);
    return value ^ (value >>> 16);
  };
  /** @param {number} x @param {number} y */
  const mixed = (x, y) => {
    const value = Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y) | 0;
    return value ^ (value >>> 16);
  };
  const pool = [0, 1, 2, 3].map((k) => hashed(entropy[k] ?? 0));
  for (let source = 0; source < Math.max(4, entropy.length); source++)
    for (let k = 0; k < 4; k++) if (k !== source) pool[k] = mixed(pool[k], hashed(source < 4 ? pool[source] : entropy[source]));
  [factor, multiplier] = [0x8b51f9dd, 0x58f38ded];
  const words = Array.from({length: 2 * n}, (_, k) => BigInt(hashed(pool[k % 4]) >>> 0));
  return Array.from({length: n}, (_, k) => words[2 * k] | (words[2 * k + 1] << 32n));
}

/** Return the random state of an attempt: numbers of NumPy's `Philox`. @param {bigint[]} key @param {number} attempt */
function randomState([first, second], attempt) {
  let [a, b, c, d] = [BigInt(attempt + 1), 0n, 0n, 0n];
  for (let round = 0; round < 10; round++) {
    const left = 0xd2e7470ee14c6c93n * a, right = 0xca5a826395121157n * c;
    [a, b, c, d] = [(right >> 64n) ^ b ^ first, right & MASK, (left >> 64n) ^ d ^ second, left & MASK];
    first = (first + 0x9e3779b97f4a7c15n) & MASK;
    second = (second + 0xbb67ae8584caa73bn) & MASK;
  }
  return [a, b];
}

/**
 * Generate puzzles: those of Python for the same seed. Without a difficulty, they are minimal.
 * @param {WebAssembly.Module} module
 * @param {number} n
 * @param {{difficulty?: string, seed?: number, stop?: AbortSignal}} [options]
 */
async function generate(module, n, {difficulty, seed, stop} = {}) {
  const code = difficulty === undefined ? 0 : CLASSES.indexOf(difficulty), hardest = code === EXPERT ? 0 : code;
  if (difficulty !== undefined && code < 1) throw new RangeError(`difficulty must be one of ${CLASSES.slice(1).join(", ")}, not ${difficulty}`);
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) throw new RangeError(`seed must be an integer from 0 to 2**53 - 1, not ${seed}`);
  const key = seedWords(BigInt(seed ?? Math.floor(Math.random() * 2 ** 53)), 2), kernels = new Kernels(module);
  /** @type {string[]} */
  const puzzles = [];
  for (let attempt = 0; puzzles.length < n; attempt += ATTEMPTS) {
    const random = Array.from({length: ATTEMPTS}, (_, k) => randomState(key, attempt + k)).flat();
    const found = kernels.scope(() => reduceGrids(kernels, random, hardest));
    const ratings = code ? await rate(module, found) : [];
    puzzles.push(...found.filter((_, k) => !code || ratings[k].difficulty === difficulty));
    await pause(stop);
  }
  return puzzles.slice(0, n);
}

/** Fill grids, and remove all clues that are not needed. @param {Kernels} kernels @param {bigint[]} random @param {number} hardest */
function reduceGrids(kernels, random, hardest) {
  const all = [...Array(CELLS).keys()], size = random.length / 2;
  /** @param {keyof typeof ELEMENTS} type @param {number[]} shape */
  const array = (type, ...shape) => kernels.array(type, shape);
  const unitsOf = all.map((k) => [Math.floor(k / 9), 9 + (k % 9), 18 + 3 * Math.floor(k / 27) + Math.floor((k % 9) / 3)]);
  const removal = [
    ...["uint8", "uint8", "uint32", "uint32"].map((type) => array(/** @type {any} */ (type), size, CELLS)),
    array("int64", size, 4),
  ];
  const search = [kernels.array("uint32", [CELLS, 3], unitsOf.flat()), array("uint64", 27), array("uint32", CELLS), array("uint64", CELLS)];
  const uniform = [array("uint32", 9), array("uint64", 4, 56), array("uint64", 3, 3), array("uint64", 2, 56), array("uint64", 2, 56)];
  const orbits = [kernels.array("uint32", [1, CELLS], all), kernels.array("uint32", [1, CELLS + 1], [...all, CELLS]),
    kernels.array("int64", [1], /** @type {any} */ ([BigInt(CELLS)]))];
  const states = kernels.array("uint64", [size, 2], /** @type {any} */ (random));
  kernels.call("start_puzzles", states, ...search, ...uniform, ...removal, ...orbits, 0, 3, 3, 0, 0, false);
  const active = array("int64", size), counts = array("int64", size), guesses = array("int64", size);
  active.view.set(all.slice(0, size).map(BigInt));
  counts.view.fill(-1n);
  const [others, tests] = [0, 0].map(() => array("uint8", size, CELLS)), classes = array("uint8", size);
  const classify = [array("uint16", CELLS, LANES), array("uint16", TECHNIQUE_ROWS, LANES), array("int64", 2, LANES)];
  const workspace = allocateWorkspace(kernels);
  for (let n = size; (n = kernels.call("next_tests", ...removal, active, n, hardest ? 0 : EXCLUDED, 1, counts, tests)); ) {
    tests.shorten(n);
    if (hardest) {
      kernels.call("classify_lanes", tests, hardest, ...classify, classes);
      counts.view.set([...classes.view].map((each) => BigInt(each > hardest)));
    } else {
      workspace.slice(-2).forEach(({view}) => view.fill(0n));
      while (!kernels.call("solve_lanes", ...workspace, SWEEPS, tests, 1, others, counts, guesses));
    }
  }
  return readStrings(removal[1].view).map((puzzle) => puzzle.replaceAll("0", "."));
}

if (typeof document === "undefined" && typeof self !== "undefined") // in a worker
  self.onmessage = async ({data: {module, boards, limit}}) => {
    const solved = await solveBoards(module, boards, limit);
    self.postMessage(solved, {transfer: Object.values(solved).map((array) => array.buffer)});
  };

// A module that has nothing but a memory with 64-bit addresses
const PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]);

/** What `load` returns. */
export class Dlx {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    this.kernels = new Kernels(module);
    /** Solve puzzles: strings of 81 cells. @param {string[]} puzzles @param {SolveOptions} [options] @returns {Promise<Solved>} */
    this.solve = (puzzles, options) => solve(module, puzzles, options);
    /** Generate puzzles. @param {number} n @param {{difficulty?: string, seed?: number, stop?: AbortSignal}} [options] */
    this.generate = (n, options) => generate(module, n, options);
    /** Return the difficulty of each puzzle. @param {string[]} puzzles @param {Parameters<typeof rate>[2]} [options] */
    this.rate = (puzzles, options) => rate(module, puzzles, options);
    /** An `ExactCover` of this module. */
    this.ExactCover = class extends ExactCover {
      /** @param {any[][]} options @param {ConstructorParameters<typeof ExactCover>[2]} [statement] */
      constructor(options, statement) {
        super(module, options, statement);
      }
    };
    /** A `Deduction` of this module. */
    this.Deduction = class extends Deduction {
      /** @param {any[][]} options @param {ConstructorParameters<typeof Deduction>[2]} [statement] */
      constructor(options, statement) {
        super(module, options, statement);
      }
    };
  }
}

/**
 * Load the module.
 * @param {string | URL | BufferSource | WebAssembly.Module} source a URL, or what it contains
 */
export async function load(source) {
  if (!WebAssembly.validate(PROBE))
    throw new Error("This browser does not support WebAssembly with 64-bit memory; Chromium 133 and Firefox 134, or later, do.");
  if (source instanceof WebAssembly.Module) return new Dlx(source);
  const isUrl = typeof source === "string" || source instanceof URL;
  return new Dlx(await WebAssembly.compile(isUrl ? await (await fetch(source)).arrayBuffer() : source));
}
