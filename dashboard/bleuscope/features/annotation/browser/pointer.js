// Mouse, pen and finger. A mouse drags from letter to letter; a click takes a word. A finger taps a word, and another to
// select up to it; it can hold a word and drag, or pull the handles at the ends. A swipe scrolls the page.
import { tokenAt } from "./text.js";
import { quoted } from "./words.js";

const HELD_AFTER = 400, MOVED = 2, SLIPPED = 3.5, MOVED_BY_FINGER = 8; // milliseconds, pixels: a comma is four wide
const WORD_LETTER = /^[\p{L}\p{M}\p{N}]+$/u;

export class Pointer {
  constructor(pen) {
    [this.pen, this.drag, this.touch] = [pen, null, null];
    for (const side of ["source", "target"]) this.listen(side, pen.texts[side]);
    for (const [at, handle] of pen.handles.entries()) this.listenToHandle(handle, at);
  }

  listen(side, text) {
    text.addEventListener("pointerdown", (event) => this.down(side, event));
    text.addEventListener("pointermove", (event) => this.move(event));
    text.addEventListener("pointerup", (event) => this.up(side, event));
    text.addEventListener("pointercancel", () => this.forget());
    text.addEventListener("mousedown", (event) => event.preventDefault()); // no selection of the browser's own
    text.addEventListener("touchmove", (event) => {
      if (this.touch?.isHeld) event.preventDefault(); // dragged, not scrolled
    }, { passive: false });
    text.addEventListener("contextmenu", (event) => {
      if (this.touch) event.preventDefault();
    });
  }

  down(side, event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const { pen } = this, offset = pen.offsetAt(side, event.clientX, event.clientY);
    if (event.pointerType === "touch") {
      this.touch = { side, x: event.clientX, y: event.clientY, isHeld: false, id: event.pointerId };
      this.touch.timer = setTimeout(() => this.hold(side, event), HELD_AFTER);
      return;
    }
    pen.texts[side].focus({ preventScroll: true });
    if (offset === null) return;
    const isSame = pen.selection?.side === side;
    const from = event.shiftKey && isSame ? pen.selection.anchor.start : offset;
    this.drag = { side, from, x: event.clientX, y: event.clientY, hasMoved: event.shiftKey && isSame };
    pen.texts[side].setPointerCapture(event.pointerId);
    if (this.drag.hasMoved) this.extend(offset);
  }

  hold(side, event) {
    const { pen } = this, offset = pen.offsetAt(side, event.clientX, event.clientY);
    if (!this.touch || offset === null) return;
    this.touch.isHeld = true;
    this.takeWord(side, offset, event, { byTouch: true });
    this.drag = { side, from: pen.selection.start, word: { ...pen.selection }, hasMoved: true, byTouch: true };
    pen.texts[side].setPointerCapture(event.pointerId);
  }

  move(event) {
    const { pen, touch, drag } = this;
    const isFar = (from, most) => Math.hypot(event.clientX - from.x, event.clientY - from.y) > most;
    if (touch && !touch.isHeld && isFar(touch, MOVED_BY_FINGER)) clearTimeout(touch.timer);
    if (!drag) return;
    drag.hasMoved ||= isFar(drag, MOVED);
    if (!drag.hasMoved) return;
    const offset = pen.offsetAt(drag.side, event.clientX, event.clientY);
    if (offset !== null) this.extend(offset);
  }

  extend(offset) {
    const { pen, drag } = this;
    if (drag.word) { // word by word, as fingers are thick
      const { anchor } = drag.word, to = tokenAt(pen.read[drag.side], offset);
      pen.select(drag.side, anchor, to, { isExtended: true, byTouch: true });
    } else {
      const [from, to] = [{ start: drag.from, end: drag.from }, { start: offset, end: offset }];
      pen.select(drag.side, from, to, { isExtended: true });
    }
    pen.draw();
  }

  up(side, event) {
    const { pen, drag, touch } = this;
    this.forget();
    if (touch && !touch.isHeld) {
      if (Math.hypot(event.clientX - touch.x, event.clientY - touch.y) <= MOVED_BY_FINGER) this.tap(side, event);
      return;
    }
    const chosen = drag?.hasMoved ? pen.read[side].text.slice(pen.selection.start, pen.selection.end) : "";
    const isSlip = drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLIPPED && WORD_LETTER.test(chosen);
    if (chosen && (drag.word || !isSlip)) { // a click whose hand trembled is one
      pen.say(quoted(chosen));
      return;
    }
    const mark = event.target.closest?.("[data-mark]");
    const offset = pen.offsetAt(side, event.clientX, event.clientY);
    if (mark) pen.activate(mark.dataset.mark);
    else if (offset !== null) this.takeWord(side, offset, event);
  }

  tap(side, event) {
    const { pen } = this, offset = pen.offsetAt(side, event.clientX, event.clientY);
    const mark = event.target.closest?.("[data-mark]");
    pen.texts[side].focus({ preventScroll: true });
    if (mark) pen.activate(mark.dataset.mark);
    if (mark || offset === null) return;
    const word = this.wordAt(side, offset, event), { selection } = pen;
    const isOn = selection?.side === side && selection.byTouch && !pen.activeId;
    const isInside = isOn && selection.start <= word.start && word.end <= selection.end;
    if (isOn && !isInside && !pen.markUnder(side, word.start, word.end)) {
      pen.select(side, selection.anchor, word, { isExtended: true, byTouch: true });
    } else {
      pen.select(side, word, word, { byTouch: true });
    }
    pen.draw();
    pen.keyboard.sayWhere(side);
  }

  takeWord(side, offset, event, { byTouch = false } = {}) {
    const { pen } = this, word = this.wordAt(side, offset, event);
    pen.select(side, word, word, { byTouch });
    pen.draw();
    pen.keyboard.sayWhere(side);
  }

  wordAt(side, offset, event) { // between two words, the one that is under the pointer
    const { pen } = this, read = pen.read[side];
    const beside = read.tokens.filter((one) => one.start <= offset && offset <= one.end);
    const isUnder = (one) => pen.rectsOf(side, one.start, one.end).some((box) =>
      box.left <= event.clientX && event.clientX <= box.right && box.top <= event.clientY && event.clientY <= box.bottom);
    return beside.find(isUnder) ?? beside[0] ?? tokenAt(read, offset);
  }

  listenToHandle(handle, at) {
    const { pen } = this;
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      const { side, start, end } = pen.selection;
      handle.fixed = { side, place: at ? start : end };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.fixed) return;
      const { side, place } = handle.fixed;
      const offset = pen.offsetAt(side, event.clientX, event.clientY - handle.offsetHeight);
      if (offset === null || offset === place) return;
      pen.select(side, { start: place, end: place }, { start: offset, end: offset }, { isExtended: true, byTouch: true });
      pen.draw();
    });
    for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => { handle.fixed = null; });
  }

  forget() {
    clearTimeout(this.touch?.timer);
    [this.drag, this.touch] = [null, null];
  }
}
