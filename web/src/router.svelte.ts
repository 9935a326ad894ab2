/** The address as state. Links are plain links; those within the client change the page without a reload. */

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);
  /** Whether the user went back or forward, to a place that the browser remembers. */
  isReturn = false;

  start(): void {
    addEventListener("popstate", () => {
      this.isReturn = true;
      this.#read();
    });
    addEventListener("hashchange", () => this.#read());
    document.addEventListener("click", (event) => this.#click(event));
  }

  go(to: string, how: "push" | "replace" = "push"): void {
    // Where one is already, a second entry in the history would make "back" do nothing.
    const isHere = new URL(to, location.href).href === location.href;
    history[how === "push" && !isHere ? "pushState" : "replaceState"](null, "", to);
    this.isReturn = false;
    this.#read();
  }

  #read(): void {
    this.path = location.pathname;
    this.hash = location.hash;
  }

  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest("a");
    if (!link?.href || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    // Under /api the server itself answers; a link within the page is the browser's own.
    if (/^\/api(\/|$)/.test(link.pathname) || (link.pathname === location.pathname && link.hash)) return;
    event.preventDefault();
    this.go(link.href);
  }
}

export const router = new Router();
