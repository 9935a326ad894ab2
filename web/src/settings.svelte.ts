/** What this browser remembers of its user's wishes. Kept in localStorage; another tab's change is taken over. */

export type Language = "en" | "fr";
export type Theme = "system" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  /** 0 to 1. */
  volume: number;
  muted: boolean;
  /** Jump bids ask before they are sent. */
  confirm: boolean;
  /** Results stay on the table this much longer or shorter: a factor. */
  pace: number;
}

const KEY = "forsale.settings";

function defaults(): Settings {
  const language = navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
  return { language, theme: "system", volume: 0.6, muted: false, confirm: true, pace: 1 };
}

function read(): Settings {
  const settings = defaults();
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return settings;
    const { language, theme, volume, muted, confirm, pace } = kept as Record<string, unknown>;
    if (language === "en" || language === "fr") settings.language = language;
    if (theme === "system" || theme === "light" || theme === "dark") settings.theme = theme;
    if (typeof volume === "number" && volume >= 0 && volume <= 1) settings.volume = volume;
    if (typeof muted === "boolean") settings.muted = muted;
    if (typeof confirm === "boolean") settings.confirm = confirm;
    if (typeof pace === "number" && pace >= 0.25 && pace <= 4) settings.pace = pace;
  } catch {
    // Nothing is kept, or nothing may be: the defaults hold.
  }
  return settings;
}

export const settings: Settings = $state(read());

/** Keeps the settings, and puts language and theme on the page. Called once. */
export function keepSettings(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    document.documentElement.lang = settings.language;
    const isDark = settings.theme === "dark" || (settings.theme === "system" && dark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  dark.addEventListener("change", show);
  addEventListener("storage", (event) => {
    if (event.key === KEY) Object.assign(settings, read());
  });
  $effect.root(() => {
    $effect(() => {
      show();
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // A private window may refuse: the settings last as long as the page.
      }
    });
  });
}

/** Whether the user has asked the machine for little motion. */
export function isCalm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
