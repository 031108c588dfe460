// How far the page is: "drawn" once the runs of its script that it asked for have ended, whose beginning Streamlit's own
// marks do not await; and "at rest" when also nothing changes and no timer is due soon, as those are that put a run off.
(() => {
  const RERUN_SCRIPT = 11, NEW_SESSION = 4, SCRIPT_FINISHED = 6, EARLY_FOR_RERUN = 2; // in BackMsg and ForwardMsg
  let state = "at rest";

  // The fields of a message of protobuf: the value of a number, the length of all else.
  const fieldsOf = (bytes) => {
    let place = 0;
    const found = new Map();
    const number = () => {
      let value = 0, scale = 1, byte;
      do {
        byte = bytes[place++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte & 128);
      return value;
    };
    while (place < bytes.length) {
      const key = number(), value = number();
      found.set(key >> 3, value);
      if ((key & 7) === 2) place += value;
    }
    return found;
  };
  const hear = (data) => {
    const fields = fieldsOf(new Uint8Array(data));
    if (fields.has(NEW_SESSION)) state = "begun";
    const isDone = fields.has(SCRIPT_FINISHED) && fields.get(SCRIPT_FINISHED) !== EARLY_FOR_RERUN;
    if (isDone && state === "begun") state = "at rest";
  };

  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      state = "at rest";
      this.addEventListener("message", ({ data }) => data instanceof ArrayBuffer && hear(data));
    }

    send(data) {
      if (data instanceof Uint8Array && fieldsOf(data).has(RERUN_SCRIPT)) state = "asked";
      super.send(data);
    }
  };
  const SOON = 250, LATE = 1_000, QUIET = 50; // milliseconds
  const { setTimeout: start, clearTimeout: end } = window;
  const due = new Map();
  window.setTimeout = (act, delay, ...given) => {
    if (typeof act !== "function") return start(act, delay, ...given);
    const timer = start(() => {
      due.delete(timer);
      act(...given);
    }, delay);
    if (!(delay > SOON)) due.set(timer, performance.now() + (Number(delay) || 0));
    return timer;
  };
  window.clearTimeout = (timer) => {
    due.delete(timer);
    end(timer);
  };
  let changed = 0;
  new MutationObserver(() => changed = performance.now()).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  const rests = () => {
    const now = performance.now();
    for (const [timer, time] of due) if (now > time + LATE) due.delete(timer); // ended as an interval is
    return !due.size && now - changed > QUIET;
  };
  const isDrawn = () => {
    const app = document.querySelector("[data-testid=stApp]")?.dataset;
    const isLoaded = !document.querySelector("[data-testid=stSkeleton]"); // the code of widgets
    const isConnected = app?.testConnectionState === "CONNECTED", hasRun = app?.testScriptState === "notRunning";
    return isConnected && hasRun && isLoaded && state === "at rest";
  };
  window.howFar = () => (isDrawn() ? (rests() ? "at rest" : "drawn") : "drawing");
})();
