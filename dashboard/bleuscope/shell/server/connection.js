// Says what is wrong where the page is not connected with its server, in place of Streamlit's own words.
//
// The server answers at _bleuscope/connection (shell/gate.py): a WebSocket, which shows whether a proxy hands those on,
// and the name by which it was called, which shows whether a proxy hands that on.
(() => {
  const PATIENCE = 4000; // ms that a connection may take before anything is said
  const PROBE = "_bleuscope/connection";
  const ASKS = "x-bleuscope-asks"; // what the gate wants of whoever it does not let in
  const STYLE =
    "position:fixed;inset:0 0 auto 0;z-index:1000001;padding:.7rem 1rem;background:#7a2c00;color:#fff;" +
    "font:1rem/1.45 sans-serif;white-space:pre-line;user-select:text";
  const base = new URL("./", location.href);
  let wasConnected = false, isDue = false, timer = 0, said = null;

  const isConnected = () => {
    const app = document.querySelector("[data-testid=stApp]");
    return app?.getAttribute("data-test-connection-state") === "CONNECTED";
  };

  const say = ({ sentence, wayIn }) => {
    if (isConnected()) return;
    said ??= document.body.appendChild(Object.assign(document.createElement("div"), { id: "bs-connection" }));
    said.setAttribute("role", "alert");
    said.style.cssText = STYLE;
    if (said.firstChild?.textContent === sentence) return;
    said.replaceChildren(sentence);
    if (wayIn) {
      const link = Object.assign(document.createElement("a"), { href: location.href, textContent: wayIn });
      link.style.cssText = "color:inherit;margin-left:.6em";
      said.append(link);
    }
  };

  const handsOnSockets = () => new Promise((done) => {
    const address = new URL(PROBE, base);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.onopen = () => done(true);
    socket.onerror = () => done(false);
  });

  const reason = async () => {
    let answer;
    try {
      answer = await fetch(new URL(PROBE, base), { cache: "no-store", redirect: "manual" });
    } catch {
      return { sentence: "bleuscope does not answer. Perhaps it was stopped: look at the terminal that it was started " +
        "in. This page stays as it is and connects again by itself." };
    }
    const isAsked = answer.headers.get(ASKS) === "login" || answer.status === 401;
    if (isAsked || answer.type === "opaqueredirect") {
      return { sentence: "You have been logged out. What stands on this page can still be copied.", wayIn: "Log in" };
    }
    if (answer.status === 403) {
      return { sentence: "bleuscope was started anew, and asks for its new token. Open the address that its terminal " +
        "shows (…/?token=…). What stands on this page can still be copied." };
    }
    if (answer.status >= 500) {
      return { sentence: `The proxy in front of bleuscope answers ${answer.status}: bleuscope does not run behind it.` };
    }
    const host = await answer.json().then((told) => told.host, () => null);
    if (await handsOnSockets()) {
      return wasConnected ? { sentence: "The connection was lost. It is tried again." } : null;
    }
    if (host !== null && host !== location.host) {
      return { sentence: `The proxy in front of bleuscope hands on another name: you opened ${location.host}, and ` +
        `bleuscope is called ${host}. Start it with\n--public-url ${location.origin}${base.pathname}\n` +
        "and, in the configuration of nginx, write\nproxy_set_header Host $http_host;" };
    }
    return { sentence: "The proxy in front of bleuscope hands on no WebSockets. In the configuration of nginx, write\n" +
      'proxy_http_version 1.1;\nproxy_set_header Upgrade $http_upgrade;\nproxy_set_header Connection "upgrade";' };
  };

  const look = async () => {
    timer = 0;
    if (isConnected()) return;
    const found = await reason();
    if (found !== null) say(found);
    wait();
  };

  const wait = () => {
    if (!timer) timer = setTimeout(look, PATIENCE);
  };

  // Streamlit's own words for this: closed as a person would, and then they do not come back.
  const dismiss = () => {
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      if (dialog.textContent.startsWith("Connection error")) {
        dialog.style.display = "none";
        dialog.querySelector("button[aria-label=Close]")?.click();
      }
    }
  };

  const follow = () => {
    isDue = false;
    if (isConnected()) {
      wasConnected = true;
      said?.remove();
      said = null;
    } else {
      dismiss();
      wait();
    }
  };

  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(follow);
  }).observe(document.body, {
    attributes: true, attributeFilter: ["data-test-connection-state"], childList: true, subtree: true,
  });
  follow();
})();
