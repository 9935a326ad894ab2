/** The address as state. Links are plain links; those within the client change the page without a reload. */

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);

  start(): void {
    addEventListener("popstate", () => this.#read());
    addEventListener("hashchange", () => this.#read());
    document.addEventListener("click", (event) => this.#click(event));
  }

  go(to: string, how: "push" | "replace" = "push"): void {
    const isNewPage = new URL(to, location.href).pathname !== location.pathname;
    history[how === "push" ? "pushState" : "replaceState"](null, "", to);
    this.#read();
    if (isNewPage) scrollTo(0, 0);
  }

  #read(): void {
    this.path = location.pathname;
    this.hash = location.hash;
  }

  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    // Under /api the server itself answers; a link within the page is the browser's own.
    if (link.pathname.startsWith("/api") || (link.pathname === location.pathname && link.hash)) return;
    event.preventDefault();
    this.go(link.href);
  }
}

export const router = new Router();
