import { type Colours, keepColours, readColours, setColours } from "./colours.ts";

/** Makes the choice of the colours work, which the server sends with every page. */
export function openColoursChoice(choice: HTMLSelectElement | null): void {
  if (choice === null) return;
  choice.value = readColours();
  choice.disabled = false;
  choice.addEventListener("change", () => {
    keepColours(choice.value as Colours);
    setColours(choice.value as Colours);
  });
}
