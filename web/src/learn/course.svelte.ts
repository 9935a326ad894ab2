/** The lesson as it goes: which step, what was said to another choice, and whether it runs by itself. */

import { t } from "../i18n/index.svelte";
import type { Action, Replay } from "../protocol";
import { isCalm } from "../settings.svelte";
import { isSame, legalAt, stepsOf, type Step } from "./lesson";

export class Course {
  steps = $state.raw<readonly Step[]>([]);
  at = $state(0);
  /** Whether what others do goes by itself. */
  runs = $state(!isCalm());
  /** The answer to a choice that the lesson did not ask for. */
  aside = $state<string | null>(null);
  readonly step: Step = $derived(this.steps[this.at]!);
  readonly legal = $derived(legalAt(this.step));
  readonly text = $derived(t(`learn.step.${this.step.name}`, this.step.values));
  readonly isDone = $derived(this.at === this.steps.length - 1);

  constructor(replay: Replay) {
    this.steps = stepsOf(replay);
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    this.aside = null;
  }

  /** Whoever goes back wants to read: nothing goes by itself then. */
  back(): void {
    this.runs = false;
    this.go(this.at - 1);
  }

  act(action: Action): void {
    const { want, name, values } = this.step;
    if (want === null) return;
    if (isSame(action, want)) this.go(this.at + 1);
    else this.aside = t(`learn.why.${name}`, values);
  }
}
