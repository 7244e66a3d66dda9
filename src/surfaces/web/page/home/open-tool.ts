import type { Handed, PipelineStart } from "../editor/input.ts";

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
  const place = document.createElement("div");
  place.dataset["page"] = "tool";
  place.dataset["tool"] = text;
  replace(main, address, { title: `${title} – penknife`, layout: "tool", nodes: [place] });
  show(place, root, handed);
}

/** Opens the page of pipelines in the place of this one, with a pipeline of one step. Going back shows this page as it was. */
export async function openPipelines(root: URL, start: PipelineStart): Promise<void> {
  const address = new URL("pipelines", root);
  const main = document.querySelector("main");
  const { show } = await import("../pipelines/pipelines.tsx");
  if (main === null) return location.assign(address);
  const heading = document.createElement("h1");
  heading.textContent = "Pipelines";
  const place = document.createElement("div");
  place.dataset["page"] = "pipelines";
  replace(main, address, { title: "Pipelines – penknife", layout: "pipelines", nodes: [heading, place] });
  show(place, root, start);
}

/** Puts a page in the place of the one that is shown, which is kept. */
function replace(main: HTMLElement, address: URL, page: Kept): void {
  // Links of the page are relative to its address, which changes.
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a:not([href^='#'])"))
    link.setAttribute("href", link.href);
  keep(main);
  history.replaceState({ page: current }, "");
  current = Math.max(current, ...kept.keys()) + 1;
  history.pushState({ page: current }, "", address);
  listen(main);
  put(main, page);
  main.focus();
  scrollTo(0, 0);
}

function put(main: HTMLElement, { title, layout, nodes }: Kept): void {
  document.title = title;
  document.body.dataset["layout"] = layout;
  markPart(layout);
  main.replaceChildren(...nodes);
}

function keep(main: Element): void {
  kept.set(current, {
    title: document.title,
    layout: document.body.dataset["layout"],
    nodes: [...main.childNodes],
  });
}

/** Shows a page again that this document still has; another one is loaded. */
function listen(main: HTMLElement): void {
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
    put(main, page);
    main.querySelector<HTMLElement>("textarea")?.focus();
  });
}

/** Marks the part of the header that the page belongs to. */
function markPart(layout: string | undefined): void {
  const parts = {
    tool: document.querySelector(".bar [popovertarget=menu-tools]"),
    pipelines: document.querySelector(".bar a[href$=pipelines]"),
  };
  for (const [name, part] of Object.entries(parts))
    if (name === layout) part?.setAttribute("aria-current", "page");
    else part?.removeAttribute("aria-current");
}
