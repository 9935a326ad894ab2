import "./fonts.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { speak } from "./i18n/index.svelte";
import { pageOf } from "./pages";
import { router } from "./router.svelte";
import { keepSettings } from "./settings.svelte";
import { reloadWhenBack } from "./shell/reload";

keepSettings();
router.start();
// The page is fetched beside the words; whether it comes is App's affair.
pageOf(router.path)
  .load()
  .catch(() => {});
speak().then(
  () => mount(App, { target: document.getElementById("app")! }),
  () => reloadWhenBack(),
);
