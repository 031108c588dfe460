// What waits for the page is told of each change of the connection and of the run that draws the page.
const watchers = [];
new MutationObserver(() => {
  const app = document.querySelector("[data-testid=stApp]")?.dataset;
  if (!app) return;
  const isConnected = app.testConnectionState === "CONNECTED", isAtRest = app.testScriptState === "notRunning";
  for (const watcher of watchers) watcher({ isConnected, isAtRest });
}).observe(document, {
  subtree: true,
  attributeFilter: ["data-test-connection-state", "data-test-script-state"],
});
