/** Something that this browser remembers of each table, in localStorage. Old tables are forgotten. */

const TABLES = 30;

export class Kept<Value> {
  #all = $state.raw<readonly (readonly [string, Value])[]>([]);

  constructor(
    private readonly key: string,
    private readonly isValue: (value: unknown) => value is Value,
  ) {
    this.#read();
    addEventListener("storage", (event) => {
      if (event.key === key) this.#read();
    });
  }

  of(table: string): Value | undefined {
    return this.#all.find(([other]) => other === table)?.[1];
  }

  keep(table: string, value: Value): void {
    const others = this.#all.filter(([other]) => other !== table);
    this.#all = [...others, [table, value] as const].slice(-TABLES);
    try {
      localStorage.setItem(this.key, JSON.stringify(this.#all));
    } catch {
      // A private window may refuse: it lasts as long as the page.
    }
  }

  #read(): void {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "[]") as [string, unknown][];
      this.#all = kept.filter((pair): pair is [string, Value] => this.isValue(pair[1]));
    } catch {
      this.#all = [];
    }
  }
}
