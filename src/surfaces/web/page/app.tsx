import { correctExamples } from "./address.ts";
import { addCopyButtons } from "./copy-button.tsx";
import { watchForUpgrade } from "./upgrade-notice.tsx";

// The entry of every page. What the server sent is complete without it.
const { build = "", root: relative = "./" } = document.documentElement.dataset;
const root = new URL(relative, location.href);
watchForUpgrade(root, build, document.querySelector("#update"));
correctExamples(document, root);
addCopyButtons(document);
