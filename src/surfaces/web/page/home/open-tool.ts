import { render } from "preact";
import type { Handed } from "../editor/input.ts";

interface ToolCode {
  show(place: Element, root: URL, handed: Handed): void;
}

/**
 * Opens the page of a tool in the place of this one and hands it a document: neither a URL nor any storage could hold it
 * without keeping it.
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
  const { title, summary } = JSON.parse(text) as { title: string; summary: string };
  // Links of the page are relative to its address, which changes.
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a:not([href^='#'])"))
    link.setAttribute("href", link.href);
  history.pushState(undefined, "", address);
  addEventListener("popstate", () => location.reload(), { once: true });
  document.title = `${title} – penknife`;
  const before = main.querySelector("[data-page]");
  if (before !== null) render(null, before);
  const place = document.createElement("div");
  place.dataset["page"] = "tool";
  place.dataset["tool"] = text;
  main.replaceChildren(create("h1", title), create("p", summary, "lead"), place);
  show(place, root, handed);
  main.focus();
  scrollTo(0, 0);
}

function create(name: string, text: string, className = ""): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}
