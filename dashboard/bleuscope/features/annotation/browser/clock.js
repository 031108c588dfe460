// The time that somebody works on an item: while the page is in sight, not paused, and not left alone for a minute.
const LEFT_ALONE_AFTER = 60_000, TICK = 1_000; // milliseconds
const SIGNS = ["keydown", "pointerdown", "pointermove", "scroll"];

export class Clock {
  constructor() {
    [this.spent, this.item, this.isPaused] = [new Map(), null, false];
    [this.seenAt, this.at] = [performance.now(), performance.now()];
    this.sign = () => { this.seenAt = performance.now(); };
    for (const sign of SIGNS) document.addEventListener(sign, this.sign, { capture: true, passive: true });
    this.ticks = setInterval(() => this.tick(), TICK);
  }

  start(item) {
    this.tick();
    this.item = item;
    this.sign();
  }

  tick() {
    const now = performance.now(), passed = now - this.at;
    this.at = now;
    if (document.hidden || this.isPaused || now - this.seenAt > LEFT_ALONE_AFTER) return;
    this.spent.set(this.item, (this.spent.get(this.item) ?? 0) + Math.min(passed, 2 * TICK));
  }

  pause(isPaused) {
    this.tick();
    this.isPaused = isPaused;
  }

  taken() { // seconds since it was last asked: the server adds up all sittings
    this.tick();
    const spent = this.spent.get(this.item) ?? 0;
    this.spent.delete(this.item);
    return Math.round(spent / 100) / 10;
  }

  close() {
    clearInterval(this.ticks);
    for (const sign of SIGNS) document.removeEventListener(sign, this.sign, { capture: true });
  }
}
