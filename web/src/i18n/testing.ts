/** For the tests: both languages are there from the beginning. */

import { learn } from "./index.svelte";

await Promise.all([learn("en"), learn("fr")]);
