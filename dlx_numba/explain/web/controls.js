// Navigation between steps: buttons, keys, slider and URL. The page itself has positions, which it
// renders and writes into the URL, and buttons and keys of its own.

const slider = byId("slider");
const PAUSE_MS = 900; // between steps during playback at speed 1
const URL_DELAY_MS = 150;
let playTimer = null;
let urlTimer = null;

// Stop playback, and move.
function go(move) {
  setPlaying(false);
  show(move);
}

const goTo = (target) => go(() => moveToPosition(target));

// Move, draw the page and write the URL.
function show(move) {
  const focused = document.activeElement;
  move();
  render();
  // A button that is now disabled or hidden cannot keep the focus.
  if (focused?.disabled || focused?.closest("[hidden]")) byId("play").focus();
  // Browsers limit how often the URL can change, for example while a key repeats.
  clearTimeout(urlTimer);
  if (location.protocol === "about:") return; // in the frame of a notebook
  urlTimer = setTimeout(() => history.replaceState(null, "", fragment()), URL_DELAY_MS);
}

// Shows the position, in words and by the controls.
function renderPosition(place, text) {
  slider.max = lastPosition();
  slider.value = position();
  slider.ariaValueText = `${place}: ${text}`;
  byId("first").disabled = byId("back").disabled = position() === 0;
  byId("last").disabled = byId("forward").disabled = position() === lastPosition();
}

function setPlaying(playing) {
  if (playing === Boolean(playTimer)) return;
  if (playing && position() === lastPosition()) goTo(0);
  clearTimeout(playTimer);
  playTimer = playing ? setTimeout(playOn, pause()) : null;
  setText(byId("play").firstChild, playing ? "Pause" : "Play");
  byId("play").ariaPressed = playing;
  byId("sentence").ariaLive = playing ? "off" : "polite";
}

function playOn() {
  show(() => moveToPosition(position() + 1));
  playTimer = setTimeout(playOn, pause());
  if (position() === lastPosition()) setPlaying(false);
}

const pause = () => PAUSE_MS * byId("speed").value;

// Selects the option of a list that is this many places further, up to its ends.
function selectNext(list, places) {
  const last = list.length - 1;
  list.selectedIndex = Math.max(0, Math.min(last, list.selectedIndex + places));
}

const BUTTONS = {
  ...OWN_BUTTONS,
  first: () => goTo(0),
  back: () => goTo(position() - 1),
  forward: () => goTo(position() + 1),
  last: () => goTo(lastPosition()),
  play: () => setPlaying(!playTimer),
};
// The keys of buttons and check boxes are in the page.
const KEYS = {
  ...OWN_KEYS,
  PageUp: () => goTo(position() - 10),
  PageDown: () => goTo(position() + 10),
  "+": () => selectNext(byId("speed"), 1),
  "-": () => selectNext(byId("speed"), -1),
};

for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
slider.addEventListener("input", () => goTo(Number(slider.value)));
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName;
  const isHorizontal = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (tag === "SELECT" && !isHorizontal) return;
  // Space activates a focused control, and the arrow keys scroll a focused panel that overflows.
  const takesSpace = tag === "BUTTON" || tag === "SUMMARY" || event.target.type === "checkbox";
  if (event.key === " " && takesSpace) return;
  const panel = event.target.closest?.(".scroll");
  if (panel && event.key.startsWith("Arrow") && panel.scrollWidth > panel.clientWidth) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const control = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!control && !KEYS[key]) return;
  event.preventDefault();
  control ? control.click() : KEYS[key]();
});
window.addEventListener("hashchange", ({ newURL }) => goToUrlStep(newURL));
byId("theme").addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = (dataset.theme ?? system) === "dark" ? "light" : "dark";
});
goToUrlStep(location.href);
document.body.classList.add("ready");
