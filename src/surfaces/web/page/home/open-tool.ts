import type { Handed } from "../editor/input.ts";

interface ToolCode {
  show(place: Element, root: URL, handed: Handed): void;
}

/** A page of this document: what is in it stays in memory while another one is shown. */
interface Kept {
  title: string;
  layout: string | undefined;
  nodes: Node[];
}

/** By the number of their entry in the history of the browser. */
const kept = new Map<number, Kept>();
let current = 0;
let isListening = false;

/**
 * Opens the page of a tool in the place of this one and hands it a document: neither a URL nor any storage could hold it
 * without keeping it. Going back shows this page as it was.
 * @param load Returns the code of the page, which may be the caller's own.
 */
export async function openTool(
  root: URL,
  slug: string,
  handed: Handed,
  load: () => ToolCode | Promise<ToolCode>,
): Promise<void> {
  const address = new URL(`tools/${slug}`, root);
  const main = document.querySelector("main");
  const [response, { show }] = await Promise.all([
    fetch(new URL(`web/tools/${slug}`, root), { credentials: "omit" }),
    load(),
  ]);
  if (main === null || !response.ok) return location.assign(address);
  const text = await response.text();
  const { title } = JSON.parse(text) as { title: string };
  // Links of the page are relative to its address, which changes.
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a:not([href^='#'])"))
    link.setAttribute("href", link.href);
  keep(main);
  history.replaceState({ page: current }, "");
  current = Math.max(current, ...kept.keys()) + 1;
  history.pushState({ page: current }, "", address);
  listen(main);
  document.title = `${title} – penknife`;
  document.body.dataset["layout"] = "tool";
  markPart();
  const place = document.createElement("div");
  place.dataset["page"] = "tool";
  place.dataset["tool"] = text;
  main.replaceChildren(place);
  show(place, root, handed);
  main.focus();
  scrollTo(0, 0);
}

function keep(main: Element): void {
  kept.set(current, {
    title: document.title,
    layout: document.body.dataset["layout"],
    nodes: [...main.childNodes],
  });
}

/** Shows a page again that this document still has; another one is loaded. */
function listen(main: Element): void {
  if (isListening) return;
  isListening = true;
  addEventListener("popstate", ({ state }: PopStateEvent) => {
    // A fragment of the same page.
    if (state === null && location.hash !== "") return;
    const number = (state as { page?: number } | null)?.page ?? -1;
    const page = kept.get(number);
    if (page === undefined) return location.reload();
    keep(main);
    current = number;
    document.title = page.title;
    document.body.dataset["layout"] = page.layout;
    markPart();
    main.replaceChildren(...page.nodes);
    main.querySelector<HTMLElement>("textarea")?.focus();
  });
}

/** Marks the part of the header that the page belongs to. */
function markPart(): void {
  const isTool = document.body.dataset["layout"] === "tool";
  const tools = document.querySelector(".bar [popovertarget=menu-tools]");
  if (isTool) tools?.setAttribute("aria-current", "page");
  else tools?.removeAttribute("aria-current");
}
