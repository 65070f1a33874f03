// The rubric of a question: items with a sentence and points, applied to the current answer by a click or a key.
import { countAnswers, doing, el, made, parsePoints, plain, saving, say } from "./elements.js";
import { ask } from "./server_api.js";

const LETTERS = ["a", "s", "d", "f", "g"];
// page: the functions of the page that this module needs. editing: the item in the form, null for a new item.
let page = null, editing = null, applied = new Set();

export const appliedItems = () => [...applied].sort();

const signed = (number) => (number === null ? "" : number < 0 ? `−${plain(-number)}` : `+${plain(number)}`);

// The points of an answer with these items, from 0 to the maximum; as in rubric.py.
function sum(question, ids) {
  const earned = question.items.filter((one) => ids.has(one.id)).reduce((all, one) => all + (one.points ?? 0), question.full ? question.points : 0);
  return Math.min(Math.max(earned, 0), question.points);
}

const SCHEME_ITEM = /^(half a|\d*(?:[.,]\d+)?½?) points?(?: for\b|[,:\s])*(\S)(\S* .*?)(?:[:.](?=\s|$)|$)/i;

// The parts of the mark scheme that begin with points ("1 point for"), as items with the first sentence of each.
function schemeItems() {
  const parts = [...el.scheme.querySelectorAll(":is(p, li):not(:has(p))")];
  return parts.map((one) => one.textContent.trim().replace(/\s+/g, " ").match(SCHEME_ITEM)).filter(Boolean).map(([, number, first, rest]) => {
    const half = /half|½/i.test(number) ? 0.5 : 0;
    return { text: first.toUpperCase() + rest, points: (parseFloat(number.replace(",", ".")) || 0) + half };
  });
}

// Show the items, marked if they are applied to this answer.
export function showItems(one) {
  applied = new Set(one.items);
  listItems();
}

function listItems() {
  const question = page.question();
  el.schemeline.hidden = question.items.length > 0 || !schemeItems().length;
  el.items.replaceChildren(...question.items.map((one, number) => {
    const line = document.createElement("span");
    const use = made("button", [signed(one.points), one.text].filter(Boolean).join(" "), { type: "button" });
    use.setAttribute("aria-pressed", String(applied.has(one.id)));
    if (LETTERS[number]) use.prepend(made("kbd", LETTERS[number]), " ");
    use.addEventListener("click", doing(() => applyItem(number)));
    const change = made("button", "✎", { type: "button", title: "Change this item", ariaLabel: `Change: ${one.text}` });
    change.addEventListener("click", () => editItem(one));
    const drop = made("button", "×", { type: "button", title: "Delete this item", ariaLabel: `Delete: ${one.text}` });
    drop.addEventListener("click", doing(async () => {
      if (one.uses && !confirm(`Delete this item? The points and comments of ${countAnswers(one.uses)} stay.`)) return;
      await replaceRubric("DELETE", `questions/${question.id}/items/${one.id}`);
    }));
    line.append(use, change, drop);
    if (one.uses) line.append(made("span", `in ${countAnswers(one.uses)}`, { className: "quiet" }));
    return line;
  }));
  el.start.value = question.full ? "full" : "zero";
}

// Apply an item to the current answer, or remove the item from the answer.
function applyItem(number) {
  const question = page.question(), one = question.items[number];
  if (!one) return;
  const now = parsePoints(el.points.value);
  const before = sum(question, applied), added = !applied.has(one.id);
  if (added) applied.add(one.id); else applied.delete(one.id);
  if (one.points !== null) {
    // Other points than the sum were chosen by the reader, so they change by the points of the item.
    const points = now === null || now === before ? sum(question, applied) : now + (added ? one.points : -one.points);
    el.points.value = plain(Math.min(Math.max(points, 0), question.points));
  }
  const lines = el.comment.value.trim().split("\n").filter((line) => line !== one.text);
  el.comment.value = [...lines, ...(added ? [one.text] : [])].join("\n").trim();
  listItems();
}

export function applyLetter(letter) {
  if (!LETTERS.includes(letter)) return false;
  doing(applyItem)(LETTERS.indexOf(letter));
  return true;
}

function editItem(one) {
  editing = one;
  el.itempoints.value = one && one.points !== null ? plain(one.points) : "";
  el.itemtext.value = one?.text ?? "";
  el.saveitem.textContent = one ? "Change item" : "Add item";
  el.canceledit.hidden = !one;
  if (one) {
    el.rubricbox.open = true;
    el.itemtext.focus();
  }
}

async function replaceRubric(method, path, body) {
  if (page.changed()) throw new Error("Save this answer first.");
  return saving(async () => {
    const sent = await ask(method, path, body);
    editItem(null);
    await page.reload();
    return sent?.changed;
  });
}

export function startRubric(functions) {
  page = functions;
  el.itemform.addEventListener("submit", (event) => {
    event.preventDefault();
    doing(async () => {
      const { id } = page.question(), body = { text: el.itemtext.value, points: parsePoints(el.itempoints.value.replace("−", "-")) };
      if (!editing) { await replaceRubric("POST", `questions/${id}/items`, body); return; }
      if (editing.uses && !confirm(`Change this item in the points and comments of ${countAnswers(editing.uses)}?`)) return;
      const changed = await replaceRubric("PUT", `questions/${id}/items/${editing.id}`, body);
      say(`Changed: ${countAnswers(changed)}.`);
    })();
  });
  el.canceledit.addEventListener("click", () => editItem(null));
  el.usescheme.addEventListener("click", doing(async () => {
    if (page.changed()) throw new Error("Save this answer first.");
    await saving(async () => {
      for (const item of schemeItems()) await ask("POST", `questions/${page.question().id}/items`, item);
      await page.reload();
    });
  }));
  el.start.addEventListener("change", doing(async () => {
    try {
      await replaceRubric("PUT", `questions/${page.question().id}/start`, { full: el.start.value === "full" });
    } finally { listItems(); }
  }));
}
