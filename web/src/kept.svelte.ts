/** Something that this browser remembers of each table, in localStorage. Old tables are forgotten. */

const TABLES = 100;

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
    this.#write();
  }

  /** Where there is no room for all, the newer half may still fit. */
  #write(): void {
    for (let all = this.#all; all.length > 0; all = all.slice(Math.ceil(all.length / 2))) {
      try {
        localStorage.setItem(this.key, JSON.stringify(all));
        return;
      } catch {
        // Full; or a private window refuses at all: then it lasts as long as the page.
      }
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
