import { type Colours, keepColours, readColours, setColours } from "./colours.ts";

const names: Readonly<Record<Colours, string>> = { system: "as the system", light: "light", dark: "dark" };

/** Makes the menu of colours work, which the server sends with every page. */
export function openColoursChoice(page: Document): void {
  for (const choice of page.querySelectorAll<HTMLElement>("[data-colours][role=menuitemradio]"))
    choice.addEventListener("click", () => chooseColours(choice.dataset["colours"] as Colours));
  mark(page);
}

/** Shows the pages in these colours from now on. */
export function chooseColours(colours: Colours): void {
  const { dataset } = document.documentElement;
  dataset["still"] = "";
  keepColours(colours);
  setColours(colours);
  requestAnimationFrame(() => requestAnimationFrame(() => delete dataset["still"]));
  mark(document);
}

function mark(page: Document): void {
  const colours = readColours();
  const button = page.querySelector<HTMLElement>("#colours");
  if (button !== null) button.ariaLabel = `Colours: ${names[colours]}`;
  button?.querySelector("use")?.setAttribute("href", `#i-${colours === "dark" ? "moon" : "sun"}`);
  for (const choice of page.querySelectorAll<HTMLElement>("[data-colours][role=menuitemradio]"))
    choice.ariaChecked = String(choice.dataset["colours"] === colours);
}
