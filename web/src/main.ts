import "@fontsource/source-sans-3/latin-400.css";
import "@fontsource/source-sans-3/latin-600.css";
import "@fontsource/source-sans-3/latin-ext-400.css";
import "@fontsource/source-sans-3/latin-ext-600.css";
import "@fontsource/fraunces/latin-700.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { router } from "./router.svelte";
import { keepSettings } from "./settings.svelte";

keepSettings();
router.start();
mount(App, { target: document.getElementById("app")! });
