/** The colours of the pages: those of the system, or always light or dark ones. */
export type Colours = "system" | "light" | "dark";

const key = "penknife.colours";

export function readColours(): Colours {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    // A browser may refuse its storage.
    return "system";
  }
}

export function keepColours(colours: Colours): void {
  try {
    if (colours === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, colours);
  } catch {
    // The choice holds until the page is left.
  }
}

/** Shows the page in these colours; base.css has the rules. */
export function setColours(colours: Colours): void {
  if (colours === "system") delete document.documentElement.dataset["colours"];
  else document.documentElement.dataset["colours"] = colours;
}
