import { addCopyButtons } from "./copy-button.tsx";
import { watchForUpgrade } from "./upgrade-notice.tsx";

// The entry of every page. What the server sent is complete without it.
const { build = "", root = "./" } = document.documentElement.dataset;
addCopyButtons(document);
watchForUpgrade(new URL(root, location.href), build, document.querySelector("#update"));
