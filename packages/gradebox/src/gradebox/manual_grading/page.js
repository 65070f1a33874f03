// Reading page: shows one question and one answer at a time. Every save is written to the gradebook at once.
const el = Object.fromEntries([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
const LETTERS = ["a", "s", "d", "f", "g"];
let questions = [], question = null, at = 0, saving = false, digits = false;
// Values that the program put into the fields, to detect what the reader has typed.
let filled = { points: "", comment: "" };

const reader = () => el.reader.value.split(/\s+/).filter(Boolean).join(" ").slice(0, 64);
const current = () => question?.answers[at];
const plain = (number) => (number === null ? "" : String(Math.round(number * 100) / 100));
const typed = () => el.points.value !== filled.points || el.comment.value !== filled.comment;
const replying = () => [...document.querySelectorAll(".request textarea")].some((one) => one.value.trim() !== one.dataset.before);
const changed = () => Boolean(current() && typed()) || replying();

async function ask(method, path, body, more = {}) {
  const options = { method, headers: { "X-Gradebox": "read" }, ...more };
  if (body) options.body = JSON.stringify({ as: reader(), ...body });
  let answer, said;
  try {
    answer = await fetch(`api/${path}`, options);
    said = await answer.json();
  } catch {
    throw new Error("The server of this page has stopped or can’t be reached: unsaved changes are not in the gradebook.");
  }
  if (!answer.ok) throw Object.assign(new Error(said.problem), { status: answer.status });
  return said;
}

function say(text, bad = false) {
  el.status.textContent = text;
  el.status.classList.toggle("bad", bad);
}

// Wrap an event handler so that errors are shown in the status line.
function doing(work) {
  return async (...about) => {
    try { await work(...about); } catch (error) { say(error.message, true); }
  };
}

function made(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

// Create or update the button of a question or of the requests page, with the number of open items.
function listed(id, text, title, open, waiting, to, done) {
  let button = document.getElementById(id);
  if (!button) {
    button = made("button", text, { type: "button", title, id });
    button.append(document.createElement("span"));
    button.addEventListener("click", doing(open));
    const item = document.createElement("li");
    item.append(button);
    el.questions.append(item);
  }
  button.lastChild.textContent = waiting ? `${waiting} ${to}` : done;
  button.lastChild.className = waiting ? "count" : "done";
  return button;
}

async function listQuestions() {
  questions = await ask("GET", "questions");
  for (const one of questions) {
    const text = `${one.assignment} ${one.number} `, open = () => openQuestion(one.id);
    const button = listed(`question-${one.id}`, text, one.title, open, one.waiting, "to read", "all read");
    button.setAttribute("aria-current", String(one.id === question?.id));
  }
}

async function listRequests() {
  const asked = await ask("GET", "requests");
  const open = asked.filter((one) => !one.answer).length;
  if (asked.length || document.getElementById("open-requests")) listed("open-requests", "Requests ", "", showRequests, open, "to answer", "all answered");
  return asked;
}

// Return true if the current answer may be left; asks first if there are unsaved changes.
function left() {
  return !changed() || confirm("Your changes are not saved. Discard them?");
}

const others = (one) => one.reader && one.reader !== reader();

async function openQuestion(id) {
  const fresh = await ask("GET", `questions/${id}`);
  if (!left()) return;
  // No await from here to show(), so that the answer shown is always the answer saved.
  question = fresh;
  const first = question.answers.findIndex((one) => one.waits && !others(one));
  at = Math.max(0, first);
  el.requests.hidden = true;
  el.requestlist.replaceChildren();
  el.question.hidden = !question.answers.length;
  document.title = `${question.number} ${question.title}`;
  // The server has sanitized both.
  el.asks.innerHTML = question.asks;
  el.scheme.innerHTML = question.scheme;
  el.schemebox.hidden = !question.scheme;
  el.possible.textContent = plain(question.points);
  el.empty.hidden = !question.answers.some((one) => one.empty && one.waits);
  listPhrases();
  if (question.answers.length) show(); else say("No answer to this question is in the gradebook yet.");
  await listQuestions();
  await take();
}

async function go(to) {
  at = Math.max(0, Math.min(to, question.answers.length - 1));
  show();
  await take();
}

async function move(by) {
  if (question && left()) await go(at + by);
}

// Claim this answer, and update its state. Unsaved changes stay.
async function take() {
  const one = current();
  if (!one || !reader()) return;
  const now = await ask("POST", `questions/${question.id}/answers/${one.id}`, {});
  if (current() !== one) return;
  if (!changed() && now.version !== one.version) { Object.assign(one, now); show(); }
  else { one.reader = now.reader; showReader(); }
}

function show() {
  const one = current();
  el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : one.name;
  el.where.textContent = `${at + 1} of ${question.answers.length}${one.waits ? "" : ", read"}`;
  el.text.classList.toggle("empty", one.empty || !one.there);
  if (one.html) el.text.innerHTML = one.html;
  else el.text.textContent = one.there ? "Nothing was written here." : "No graded copy: run gradebox autograde again.";
  el.points.value = plain(one.points);
  el.comment.value = one.comment;
  filled = { points: el.points.value, comment: el.comment.value };
  digits = false;
  el.extra.textContent = one.extra ? `and ${plain(one.extra)} extra, given in Formgrader` : "";
  el.asked.replaceChildren(...(one.requests ?? []).map(requestBox));
  showReader();
  scrollTo(0, 0);
}

function showReader() {
  const other = others(current()) ? current().reader : "";
  el.taken.textContent = other ? `${other} is reading this answer` : "";
  for (const control of el.marks.elements) control.disabled = Boolean(other) && !["next", "previous"].includes(control.id);
}

async function save() {
  const one = current();
  if (!one || saving || el.points.disabled) return;
  const text = el.points.value.trim().replace(",", ".");
  if (text && !Number.isFinite(Number(text))) { say(`Not a number: ${el.points.value}`, true); return; }
  if (!reader()) { say("Enter your name first.", true); el.reader.focus(); return; }
  // Keep the exact points if the field, which shows two decimals, is unchanged.
  const points = el.points.value === filled.points ? one.points : text ? Number(text) : null;
  const sent = { points: el.points.value, comment: el.comment.value };
  saving = true;
  try {
    Object.assign(one, await ask("PUT", `questions/${question.id}/answers/${one.id}`, { version: one.version, points, comment: el.comment.value }));
  } catch (error) {
    if (error.status === 409) await showConflict(one, error);
    else say(error.message, true);
    return;
  } finally { saving = false; }
  say(`Saved: ${el.hide.checked ? `answer ${at + 1}` : one.name}, ${one.points === null ? "no points yet" : plain(one.points)}.`);
  doing(listQuestions)();
  // Stay if the reader has already moved on or continued typing.
  if (current() !== one || el.points.value !== sent.points || el.comment.value !== sent.comment) { if (current() === one) filled = sent; return; }
  filled = sent;
  const waiting = (other) => other.waits && other !== one && !others(other);
  const behind = question.answers.findIndex((other, number) => number > at && waiting(other));
  const next = behind >= 0 ? behind : question.answers.findIndex(waiting);
  if (next >= 0 && !replying()) { el.points.blur(); el.comment.blur(); await go(next); }
  else { show(); say(`${el.status.textContent} All answers to this question are read or claimed by other readers.`); }
}

async function showConflict(one, error) {
  if (current() !== one) return;
  const now = await ask("POST", `questions/${question.id}/answers/${one.id}`, {});
  if (current() !== one) return;
  const points = el.points.value, comment = el.comment.value;
  Object.assign(one, now);
  show();
  say(`Not saved: ${error.message}. The page now shows the current answer and points. You had typed ${points || "no points"}${comment ? ` and “${comment}”` : ""}.`, true);
}

function listPhrases() {
  el.phrases.replaceChildren(...question.phrases.map((one, number) => {
    const line = document.createElement("span");
    const use = made("button", one.text, { type: "button" });
    if (LETTERS[number]) use.prepend(made("kbd", LETTERS[number]), " ");
    use.addEventListener("click", () => usePhrase(number));
    const drop = made("button", "×", { type: "button", title: "Delete this saved comment" });
    drop.addEventListener("click", doing(async () => {
      question.phrases = (await ask("DELETE", `questions/${question.id}/phrases/${one.id}`)).phrases;
      listPhrases();
    }));
    line.append(use, drop);
    return line;
  }));
}

function usePhrase(number) {
  const one = question.phrases[number];
  if (!one || el.comment.disabled) return;
  const before = el.comment.value.trim();
  if (!before.split("\n").includes(one.text)) el.comment.value = before ? `${before}\n${one.text}` : one.text;
}

function requestBox(one) {
  const box = made("div", "", { className: "request" });
  const said = made("textarea", "", { rows: 2, value: one.answer });
  said.dataset.before = one.answer;
  said.setAttribute("aria-label", "Your answer to the request");
  const button = made("button", "Answer", { type: "button" });
  button.addEventListener("click", doing(async () => {
    if (!said.value.trim() && !one.answer) { say("Write the answer first.", true); return; }
    try {
      Object.assign(one, await ask("PUT", `requests/${one.id}`, { answer: said.value, before: one.answer }));
    } catch (error) {
      if (error.status !== 409) throw error;
      const now = (await ask("GET", "requests")).find((other) => other.id === one.id);
      one.answer = now?.answer ?? "";
      say(`Not saved: somebody else has answered in the meantime${one.answer ? `: “${one.answer}”` : ""}. Press the button again to replace that answer.`, true);
      return;
    }
    said.dataset.before = one.answer;
    say(one.answer ? "Answered: the student’s next feedback page will show the answer." : "The answer is deleted.");
    await listRequests();
  }));
  box.append(made("p", `${one.name && !el.hide.checked ? `${one.name}, ` : ""}${one.assignment} ${one.number}: ${one.text}`), said, button);
  return box;
}

async function showRequests() {
  const asked = await listRequests();
  if (!left()) return;
  leave();
  question = null;
  el.question.hidden = true;
  el.requests.hidden = false;
  el.requestlist.replaceChildren(...asked.map(requestBox));
}

// Release the reader’s claims. as: a name other than the current one.
function leave(as = reader()) {
  if (as) ask("POST", "leave", { as }, { keepalive: true }).catch(() => {});
}

el.marks.addEventListener("submit", (event) => { event.preventDefault(); doing(save)(); });
el.next.addEventListener("click", doing(() => move(1)));
el.previous.addEventListener("click", doing(() => move(-1)));
el.hide.addEventListener("change", () => {
  localStorage.setItem("hide", el.hide.checked ? "yes" : "");
  if (question) el.who.textContent = el.hide.checked ? `Answer ${at + 1}` : current().name;
});
el.reader.addEventListener("change", doing(async () => {
  const before = localStorage.getItem("reader");
  localStorage.setItem("reader", reader());
  if (before && before !== reader()) await ask("POST", "leave", { as: before });
  if (question) await take();
}));
el.keys.addEventListener("click", () => {
  el.keylist.hidden = !el.keylist.hidden;
  el.keys.setAttribute("aria-expanded", String(!el.keylist.hidden));
});
el.keep.addEventListener("click", doing(async () => {
  question.phrases = (await ask("POST", `questions/${question.id}/phrases`, { text: el.comment.value })).phrases;
  listPhrases();
}));
el.empty.addEventListener("click", doing(async () => {
  if (!reader()) { say("Enter your name first.", true); el.reader.focus(); return; }
  const count = question.answers.filter((one) => one.empty && one.waits).length;
  if (!left() || !confirm(`Give 0 points to ${count} empty answers?`)) return;
  const { scored } = await ask("POST", `questions/${question.id}/empty`, {});
  [el.points.value, el.comment.value] = [filled.points, filled.comment];
  await openQuestion(question.id);
  say(`${scored} empty answers have 0 points.`);
}));
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (target === el.comment && key === "Escape") { el.comment.blur(); return; }
  if (target === el.comment && key === "Enter" && event.ctrlKey && !event.repeat) { event.preventDefault(); doing(save)(); return; }
  const inPoints = target === el.points;
  const typing = ["TEXTAREA", "INPUT", "SELECT"].includes(target.tagName) && !inPoints && target.type !== "checkbox";
  if (!question || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const open = !el.points.disabled;
  const isPart = /^[\d.,]$/.test(key);
  if (key === "Enter" && !["BUTTON", "SUMMARY", "A"].includes(target.tagName)) {
    event.preventDefault();
    if (!event.repeat) doing(save)();
  } else if (key === "j" || (key === "ArrowRight" && !inPoints)) { event.preventDefault(); doing(move)(1); }
  else if (key === "k" || (key === "ArrowLeft" && !inPoints)) { event.preventDefault(); doing(move)(-1); }
  else if (key === "c" && open) { event.preventDefault(); el.comment.focus(); }
  else if (key === "x" && open) { event.preventDefault(); el.points.value = ""; digits = false; }
  else if (LETTERS.includes(key)) { event.preventDefault(); usePhrase(LETTERS.indexOf(key)); }
  else if (isPart && !inPoints && open) {
    event.preventDefault();
    // The first digit replaces the points, the next digits are appended.
    el.points.value = digits ? el.points.value + key : key;
    digits = true;
  }
});
addEventListener("beforeunload", (event) => { if (changed()) event.preventDefault(); });
addEventListener("pagehide", () => leave());
// Every 20 seconds: fetch the states of all answers, and renew the claim on the current answer.
setInterval(doing(async () => {
  if (document.hidden || !question) return;
  const here = question;
  const fresh = new Map((await ask("GET", `questions/${here.id}/states`)).map((one) => [one.id, one]));
  for (const one of here.answers) if (one !== current() && fresh.has(one.id)) Object.assign(one, fresh.get(one.id));
  if (question === here) await take();
}), 20_000);

el.reader.value = localStorage.getItem("reader") ?? "";
el.hide.checked = Boolean(localStorage.getItem("hide"));
doing(async () => {
  await listQuestions();
  const first = questions.find((one) => one.waiting) ?? questions[0];
  await openQuestion(first.id);
  if (!el.reader.value) { say("Enter your name: other readers see which answer you have open."); el.reader.focus(); }
  await listRequests();
})();
