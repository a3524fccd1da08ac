// Buttons, keys, the slider, the address: which step is shown.

const element = (id) => document.getElementById(id);
const slider = element("slider");
const KNUTH = { 1: "Initialize.", 2: "Enter level l.", 3: "Choose i." };
const LATER = arrays.need
  ? ["Prepare to branch on i.", "Possibly tweak xₗ.", "Try xₗ.", "Try again.", "Restore i.", "Leave level l."]
  : ["Cover i.", "Try xₗ.", "Try again.", "Backtrack.", "Leave level l."];
LATER.forEach((title, k) => (KNUTH[k + 4] = title));
let timer = null;
let settled = null;
let pause = 900; // milliseconds between steps while it plays

function show() {
  const step = steps[at];
  setText(element("name"), `${step.name} [${KNUTH[step.name.slice(1)]}]`);
  setText(element("text"), step.text);
  setText(element("count"), `step ${at} of ${steps.length - 1}`);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `step ${at}: ${step.text}`);
  element("first").disabled = element("back").disabled = at === 0;
  element("last").disabled = element("forward").disabled = at === steps.length - 1;
  for (const draw of [matrixView, linksView, arraysView, treeView, boardView]) draw();
}

function go(target) {
  const focused = document.activeElement;
  moveTo(target);
  show();
  // A button that had the focus and is now disabled would leave it nowhere.
  if (focused?.disabled) element("play").focus();
  // Not at each step of a key that is held: browsers take so many changes for an attack.
  clearTimeout(settled);
  settled = setTimeout(() => history.replaceState(null, "", `#step=${at}`), 150);
}

function play(wanted) {
  if (wanted === (timer !== null)) return;
  clearInterval(timer);
  timer = null;
  if (wanted) {
    if (at === steps.length - 1) go(0);
    timer = setInterval(() => {
      go(at + 1);
      if (at === steps.length - 1) play(false);
    }, pause);
  }
  setText(element("play"), wanted ? "Pause" : "Play");
  element("play").setAttribute("aria-pressed", wanted);
  element("sentence").setAttribute("aria-live", wanted ? "off" : "polite");
}

function setPace(milliseconds) {
  pause = Math.max(60, Math.min(4000, milliseconds));
  if (timer !== null) {
    play(false);
    play(true);
  }
}

function nextCover() {
  const after = steps.findIndex((step, k) => k > at && step.name.endsWith("2"));
  if (after > 0) go(after);
}

function fromAddress() {
  const match = /^#step=(\d+)$/.exec(location.hash);
  go(match ? Number(match[1]) : at);
}

function stop(action) {
  return () => {
    play(false);
    action();
  };
}

const ACTIONS = {
  first: stop(() => go(0)),
  back: stop(() => go(at - 1)),
  forward: stop(() => go(at + 1)),
  last: stop(() => go(steps.length - 1)),
  play: () => play(timer === null),
};
const KEYS = {
  ArrowLeft: ACTIONS.back,
  ArrowRight: ACTIONS.forward,
  Home: ACTIONS.first,
  End: ACTIONS.last,
  PageUp: stop(() => go(at - 10)),
  PageDown: stop(() => go(at + 10)),
  " ": ACTIONS.play,
  "+": () => setPace(pause / 1.5),
  "-": () => setPace(pause * 1.5),
  n: stop(nextCover),
  N: stop(nextCover),
};

for (const [id, action] of Object.entries(ACTIONS)) element(id).addEventListener("click", action);
slider.max = steps.length - 1;
slider.addEventListener("input", stop(() => go(Number(slider.value))));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName;
  // Space presses what has the focus, and a panel that is too wide scrolls by the arrows.
  if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
  const panel = event.target.closest?.(".scroll");
  if (panel && event.key.startsWith("Arrow") && panel.scrollWidth > panel.clientWidth) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
window.addEventListener("hashchange", fromAddress);
setText(element("summary"), record.summary);
setText(element("ending"), record.ending);
fromAddress();
