// Whether the page awaits a run of its script that it has asked for: Streamlit's own marks tell of runs that have begun.
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
  window.awaitsRun = () => state !== "at rest";
})();
