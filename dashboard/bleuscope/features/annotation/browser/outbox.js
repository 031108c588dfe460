// Events on their way. Each is in the browser's own storage from the moment it is made until the server has said that it
// is saved, and it is sent again until then: the server knows its name and saves it once. One letter is on its way at a
// time, and it holds all that is not acknowledged: what a later one replaces is not lost.
const MOST_AT_ONCE = 100, AGAIN_AFTER = 4_000, LOOKS_EVERY = 1_000, AFTER_DRAWING = 20; // milliseconds
const PREFIX = "bleuscope-pen:";

export class Outbox {
  constructor(place, post, tell) {
    [this.prefix, this.post, this.tell] = [`${PREFIX}${place}:`, post, tell];
    [this.number, this.sentAt, this.isUnderWay, this.hasMore, this.open] = [0, 0, false, false, null];
    this.events = new Map(this.kept().map((event) => [event.client_id, event]));
    this.clock = setInterval(() => this.look(), LOOKS_EVERY);
    if (this.events.size) this.send();
  }

  kept() {
    const found = [];
    try {
      for (let at = 0; at < localStorage.length; at += 1) {
        const key = localStorage.key(at);
        if (key.startsWith(this.prefix)) found.push(JSON.parse(localStorage.getItem(key)));
      }
    } catch { // a browser that keeps nothing
      return [];
    }
    return found.sort((one, other) => one.order - other.order);
  }

  keep(event) {
    try {
      localStorage.setItem(this.prefix + event.client_id, JSON.stringify(event));
    } catch {
      // full, or forbidden: it is sent all the same
    }
  }

  forget(name) {
    this.events.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // as above
    }
  }

  add(event) {
    this.events.set(event.client_id, event);
    this.keep(event);
    this.sendOn();
    this.tell();
  }

  go(item) {
    this.open = item;
    this.sendOn();
  }

  sendOn() {
    if (this.isUnderWay) this.hasMore = true;
    else this.send();
  }

  send() {
    this.number += 1;
    [this.isUnderWay, this.hasMore, this.sentAt] = [true, false, performance.now()];
    const { number } = this;
    const write = () => ({ number, open: this.open, events: [...this.events.values()].slice(0, MOST_AT_ONCE) });
    setTimeout(() => this.post(write()), AFTER_DRAWING);
  }

  // The server has answered a letter: what it saved, and what it refused and why.
  hear(number, acknowledged, refused) {
    for (const name of [...Object.keys(acknowledged), ...Object.keys(refused)]) this.forget(name);
    if (number < this.number) return;
    this.isUnderWay = false;
    if (this.hasMore || this.events.size >= MOST_AT_ONCE) this.send();
    this.tell();
  }

  look() {
    const isLate = performance.now() - this.sentAt > AGAIN_AFTER;
    const isConnected = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState === "CONNECTED";
    if (isLate && isConnected && (this.events.size || this.isUnderWay)) this.send();
    this.tell();
  }

  get isLate() {
    return this.events.size > 0 && performance.now() - this.sentAt > AGAIN_AFTER;
  }

  close() {
    clearInterval(this.clock);
  }
}
