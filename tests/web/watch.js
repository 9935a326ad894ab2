// Runs in every page of the tests before the page's own code: tells what a user would not see, but must not happen.
(() => {
  const tell = (kind, text, value = 0) => globalThis.tellTests({ kind, text: String(text), value });
  addEventListener("securitypolicyviolation", (event) =>
    tell("CSP violation", `${event.violatedDirective}: ${event.blockedURI} in ${event.sourceFile}:${event.lineNumber}`),
  );
  // When buying turns into selling the whole table is laid out anew: that is told apart.
  let phase, since = 0;
  const look = () => {
    const now = document.getElementById("main")?.dataset.phase;
    if (now !== phase) [phase, since] = [now, performance.now()];
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["data-phase"] });
  const named = (node) => (node instanceof Element ? node.outerHTML.slice(0, 160) : String(node?.nodeName));
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      const kind = shift.hadRecentInput ? "shift after input" : shift.startTime - since < 250 ? "new phase" : "shift";
      tell(kind, `${phase ?? location.pathname}: ${shift.sources.map(({ node }) => named(node)).join(" | ")}`, shift.value);
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
