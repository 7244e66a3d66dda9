import { correctExamples } from "./address.ts";
import { addCopyButtons } from "./copy-button.tsx";
import { openHeader } from "./header.ts";
import { watchForUpgrade } from "./upgrade-notice.tsx";

// The entry of every page. What the server sent is complete without it, except for the pages below.
const { build = "", root: relative = "./" } = document.documentElement.dataset;
const root = new URL(relative, location.href);
const upgrade = watchForUpgrade(root, build, document.querySelector("#update"));
correctExamples(document, root);
addCopyButtons(document);
// The browser resolves it again whenever the address changes.
for (const icon of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]"))
  icon.setAttribute("href", icon.href);
const find = (): void => void import("./home/palette.tsx").then(({ showPalette }) => showPalette(root));
openHeader(document, root, find);

/** Pages with code of their own, by the `data-page` of the element that they fill. */
const pages: Readonly<Record<string, () => Promise<{ show(place: HTMLElement, root: URL): void }>>> = {
  "sign-in": () => import("./sign-in.tsx"),
  home: () => import("./home/home.tsx"),
  tools: () => import("./home/catalogue.tsx"),
  tool: () => import("./tools/tool.tsx"),
  pipelines: () => import("./pipelines/pipelines.tsx"),
  "operator-accounts": () => import("./operator/accounts.tsx"),
  "operator-audit": () => import("./operator/audit.tsx"),
  "operator-configuration": () => import("./operator/configuration.tsx"),
  "operator-doctor": () => import("./operator/doctor.tsx"),
  "settings-events": () => import("./settings/events.tsx"),
  "settings-inboxes": () => import("./settings/inboxes.tsx"),
  "settings-keys": () => import("./settings/keys.tsx"),
  "settings-sessions": () => import("./settings/sessions.tsx"),
  "settings-usage": () => import("./settings/usage.tsx"),
  "settings-webhooks": () => import("./settings/webhooks.tsx"),
};

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  if (event.key.toLowerCase() === "k") find();
  else if (event.key === "/") void import("./ui/keys.tsx").then(({ showKeys }) => showKeys());
  else return;
  event.preventDefault();
});

const place = document.querySelector<HTMLElement>("[data-page]");
const load = pages[place?.dataset["page"] ?? ""];
if (place !== null && load !== undefined) {
  try {
    (await load()).show(place, root);
  } catch {
    // An upgraded server no longer has the file.
    upgrade.show("A part of this page is missing. The server may have been upgraded.");
  }
}
