// Keys. Arrows go as one reads: in a text from right to left, the left one goes on.
import { graphemeBeside, tokenBeside } from "./text.js";
import { quoted } from "./words.js";

const ASCII = /^[\x21-\x7e]$/;
const TYPED = "input:not([type=range]), textarea, select, [contenteditable=true], dialog";
const DIGITS_WITHIN = 4_000; // milliseconds between the digits of a score
const letterOf = (event) => { // where letters of another script are written, the key counts
  if (ASCII.test(event.key)) return event.key.toLowerCase();
  return /^(Key|Digit|Numpad)(.)$/.exec(event.code)?.[2].toLowerCase() ?? "";
};

export class Keyboard {
  constructor(pen) {
    this.pen = pen;
    [this.typed, this.typedAt] = ["", 0];
    pen.root.addEventListener("keydown", (event) => {
      const isTaken = this.press(event);
      if (isTaken) event.preventDefault();
      if (isTaken || !pen.data.is_alone || event.target.closest(TYPED)) event.stopPropagation(); // the page has keys of its own
    });
    this.fromPage = (event) => { // where nothing has the focus, the pen has it
      if (event.target !== document.body || pen.data.is_alone || !pen.item) return;
      pen.texts.target.focus({ preventScroll: true });
      if (this.press(event)) event.preventDefault();
    };
    document.addEventListener("keydown", this.fromPage);
  }

  press(event) { // whether the key did something
    const { pen } = this, { target } = event;
    if (pen.root.classList.contains("is-paused")) return false;
    if (target === pen.commentField.input) return this.inComment(event);
    if (target.closest?.(TYPED) || !pen.item) return false;
    if (event.ctrlKey || event.metaKey) return this.withControl(event);
    if (pen.score && target === pen.score.input) return this.onScore(event);
    const isOnButton = target.closest?.("button");
    if (event.key === "Enter" && !isOnButton && !event.repeat) {
      pen.finish();
      return true;
    }
    if (event.key === "?") {
      pen.keys.showModal();
      return true;
    }
    return !isOnButton && this.move(event) || this.command(event);
  }

  withControl(event) {
    if (letterOf(event) !== "z") return false;
    this.pen.undo();
    return true;
  }

  inComment(event) {
    if (event.key !== "Enter" && event.key !== "Escape") return false;
    this.pen.endComment(event.key === "Enter");
    return true;
  }

  onScore(event) { // digits make a score; arrows are the browser's
    const { pen } = this;
    if (event.key === "Enter") {
      if (!event.repeat) pen.finish(); // a held key is no answer
      return true;
    }
    if (event.key === "Escape") {
      pen.texts.target.focus();
      return true;
    }
    if (event.key === "Backspace") this.typed = ""; // the next digit is the first
    if (!/^\d$/.test(letterOf(event))) return letterOf(event) === "z" && this.command(event);
    const isMore = performance.now() - this.typedAt < DIGITS_WITHIN;
    const typed = (isMore ? this.typed : "") + letterOf(event);
    this.typed = Number(typed) > 100 ? letterOf(event) : typed;
    this.typedAt = performance.now();
    pen.setScore(Number(this.typed));
    return true;
  }

  move(event) {
    const { pen } = this;
    const side = event.target.dataset?.side;
    if (side && pen.texts[side] && pen.selection?.side !== side && !(side === "target" && pen.selection?.side === "missing")) {
      const first = pen.read[side].tokens[0];
      if (first) pen.select(side, first, first);
    }
    const { selection } = pen;
    if (!selection) return false;
    const of = selection.side === "missing" ? "target" : selection.side;
    const isRtl = pen.texts[of].dir === "rtl";
    const steps = { ArrowRight: !isRtl, ArrowLeft: isRtl };
    if (event.key in steps) this.step(of, steps[event.key], event);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.line(of, event.key === "ArrowDown", event.shiftKey);
    else if (event.key === "Home" || event.key === "End") this.toEdge(of, event.key === "End", event.shiftKey);
    else return false;
    pen.draw();
    this.sayWhere(of);
    this.keepInSight(of);
    return true;
  }

  step(side, isForward, { shiftKey, altKey }) {
    const { pen } = this, read = pen.read[side], { anchor, at, isExtended } = pen.selection;
    if (altKey) { // letter by letter: the end that moves is where the cursor is
      this.stepLetter(side, isForward, shiftKey);
      return;
    }
    const from = isExtended && !shiftKey ? pen.selection : at;
    const to = tokenBeside(read, from, isForward);
    if (!shiftKey) pen.select(side, to, to);
    else if (to.start < read.length) pen.select(side, anchor, to, { isExtended: true });
  }

  stepLetter(side, isForward, isExtended) {
    const { pen } = this, read = pen.read[side], { anchor, at } = pen.selection;
    const isBehind = at.start < anchor.start; // the selection goes back from its anchor
    if (!isExtended) { // into a word first, then on
      const isWord = at.end > graphemeBeside(read, at.start, true);
      const beside = isForward ? at.end : graphemeBeside(read, at.start, false);
      const within = isForward ? at.start : graphemeBeside(read, at.end, false);
      const start = isWord ? within : beside;
      const end = graphemeBeside(read, start, true);
      if (end > start) pen.select(side, { start, end }, { start, end }, { isExtended: true });
      return;
    }
    const edge = graphemeBeside(read, isBehind ? at.start : at.end, isForward);
    const to = isBehind ? { start: edge, end: Math.max(edge, at.end) } : { start: Math.min(at.start, edge), end: edge };
    const fixed = { start: Math.min(anchor.start, anchor.end), end: anchor.end };
    if (!isBehind && edge <= anchor.start) return;
    if (!isBehind && edge < fixed.end) fixed.end = edge;
    pen.select(side, fixed, to, { isExtended: true });
  }

  line(side, isDown, isExtended) {
    const { pen } = this, read = pen.read[side], { at, anchor } = pen.selection;
    const here = pen.rectsOf(side, at.start, Math.max(at.end, at.start))[0] ?? pen.rectsOf(side, Math.max(at.start - 1, 0), at.start).at(-1);
    if (!here) return;
    const middle = here.left + here.width / 2;
    const places = read.tokens.map((token) => ({ token, box: pen.rectsOf(side, token.start, token.end)[0] }));
    const beyond = places.filter(({ box }) => box && (isDown ? box.top > here.top + here.height / 2 : box.bottom < here.bottom - here.height / 2));
    if (!beyond.length) return;
    const edge = isDown ? Math.min(...beyond.map(({ box }) => box.top)) : Math.max(...beyond.map(({ box }) => box.top));
    const row = beyond.filter(({ box }) => Math.abs(box.top - edge) < here.height / 2);
    const away = ({ box }) => Math.max(box.left - middle, middle - box.right, 0);
    const { token } = row.reduce((best, one) => (away(one) < away(best) ? one : best));
    pen.select(side, isExtended ? anchor : token, token, { isExtended });
  }

  toEdge(side, isEnd, isExtended) {
    const { pen } = this, read = pen.read[side];
    const token = isEnd ? read.tokens.at(-1) : read.tokens[0];
    if (token) pen.select(side, isExtended ? pen.selection.anchor : token, token, { isExtended });
  }

  command(event) {
    const { pen } = this, letter = letterOf(event);
    if (event.altKey) return false;
    const part = pen.chord?.parts.find((one) => one.key === letter);
    if (part) {
      pen.setCategory(`${pen.chord.category}/${part.name}`);
      return true;
    }
    const level = /^[1-9]$/.test(letter) ? Number(letter) - 1 : -1;
    if (level >= 0 && level < pen.data.scheme.severities.length) {
      if (!event.repeat) pen.setSeverity(level);
      return true;
    }
    const category = !event.shiftKey && pen.data.scheme.categories.find((one) => one.key === letter);
    if (category) {
      pen.setCategory(category.name, category.parts);
      return true;
    }
    const does = {
      m: () => pen.selectGap(event.shiftKey), c: () => pen.comment(), z: () => pen.undo(),
      delete: () => pen.remove(), backspace: () => pen.remove(), escape: () => pen.deselect(),
    }[letter || event.key.toLowerCase()];
    does?.();
    return Boolean(does);
  }

  sayWhere(side) {
    const { pen } = this, { start, end } = pen.selection;
    const text = pen.read[side].text.slice(start, end);
    const mark = pen.state.marks[pen.activeId];
    pen.say(mark ? pen.wordsOf(mark) : text ? quoted(text) : "end of the text");
  }

  keepInSight(side) {
    const { at } = this.pen.selection;
    const place = this.pen.texts[side].querySelector(`[data-start="${at.start}"]`);
    place?.scrollIntoView({ block: "nearest" });
  }

  close() {
    document.removeEventListener("keydown", this.fromPage);
  }
}
