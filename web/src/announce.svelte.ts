/** What screen readers hear. Several sentences in one moment are read as one. */

class Announcer {
  text = $state("");
  #queue: string[] = [];

  say(sentence: string): void {
    this.#queue.push(sentence);
    if (this.#queue.length > 1) return;
    // A region that is emptied first is also read when the same words come again.
    this.text = "";
    setTimeout(() => {
      this.text = this.#queue.join(" ");
      this.#queue = [];
    }, 50);
  }
}

export const announcer = new Announcer();
