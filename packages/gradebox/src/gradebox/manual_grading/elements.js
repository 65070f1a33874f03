// Elements of the page, the status line, and saves, during which the page takes no input.
export const el = Object.fromEntries([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
export const NAME_FIRST = "Enter your name: the page counts the answers that each reader has read.";

export const plain = (number) => (number === null ? "" : String(Math.round(number * 100) / 100));

export const countAnswers = (count, kind = "") => `${count} ${kind}${count === 1 ? "answer" : "answers"}`;

// Return the points in a field, null for an empty field.
export function parsePoints(text) {
  const number = text.trim().replace(",", ".");
  if (number && !Number.isFinite(Number(number))) throw new Error(`Not a number: ${text}`);
  return number ? Number(number) : null;
}

// busy: a save runs. refused: the reader has typed during the save. ignoring: keys are ignored up to the next Enter.
let message = ["", false], busy = false, refused = false, ignoring = false;

export function say(text, bad = false) {
  message = [text, bad];
  const notice = `Keys typed while saving are ignored${ignoring && !busy ? ": press Enter to type again" : ""}.`;
  el.status.textContent = refused ? `${text} ${notice}` : text;
  el.status.classList.toggle("bad", bad);
}

function block(yes) {
  busy = yes;
  for (const part of document.querySelectorAll("header, nav, main")) part.inert = yes;
}

// Run an action that writes to the gradebook. Input before its end would change the answer that is being saved.
export async function saving(action) {
  const focused = document.activeElement;
  focused.blur();
  block(true);
  say("Saving …");
  try { return await action(); } finally {
    block(false);
    say(...message);
    focused.focus({ preventScroll: true });
  }
}

// Keys up to an Enter belong together: without its first digit, 1.5 would be .5.
document.addEventListener("keydown", (event) => {
  const { key } = event;
  if ((event.ctrlKey || event.altKey || event.metaKey || key === "Shift") && key !== "Enter") return;
  if (!busy && !ignoring) { refused = false; return; }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.repeat) return;
  refused = true;
  ignoring = key !== "Enter" && (ignoring || key.length === 1);
  say(...message);
}, true);
document.addEventListener("pointerdown", () => { ignoring &&= busy; }, true);

// Wrap an event handler so that errors are shown in the status line.
export function doing(work) {
  return async (...about) => {
    try { await work(...about); } catch (error) { say(error.message, true); }
  };
}

export function made(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

export function field(label, input, more = "") {
  const box = made("label", `${label} `);
  box.append(input, more);
  return box;
}

// Put an answer into an element. The server has sanitized the HTML.
export function showAnswer(place, one) {
  place.classList.toggle("empty", one.empty || !one.there);
  if (one.html) place.innerHTML = one.html;
  else place.textContent = one.there ? "Nothing was written here." : "No graded copy: run gradebox autograde again.";
}

// The sentence about the points of an answer or a test, empty if nothing is special.
export function describePoints(one, test) {
  const gives = one.automatic === null ? "the test could not be scored" : `the test gives ${plain(one.automatic)}`;
  if (one.given !== null && one.waits) return `The submission has changed since ${plain(one.given)} points were given${test ? `; ${gives}` : ""}.`;
  if (!test) return "";
  if (one.given !== null) return `A person gave these points; ${gives}.`;
  return one.automatic === null ? "The test could not be scored." : "";
}
