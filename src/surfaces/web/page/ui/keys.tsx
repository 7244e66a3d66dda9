import { render, type JSX } from "preact";
import { Dialog } from "./dialog.tsx";

const keys: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl K or ⌘ K", "Find a tool or a page"],
  ["Ctrl / or ⌘ /", "This list"],
  ["Esc", "Close what is on top; in an editor, Tab then leaves it"],
  ["↑ ↓ Home End, letters", "Move in menus, trees, lists and tables"],
  ["Ctrl ↵ or ⌘ ↵", "Home: open the best tool. Tool: run it, or make a new value"],
  ["Ctrl Shift ↵", "Copy the result"],
  ["F8, Shift F8", "Next and previous finding, match or change"],
  ["← → Home End on the divider", "Give one side more room"],
  ["Tab, then ↑ ↓ or 1 … 9", "Home: choose among the tools that fit"],
  ["Alt ↑, Alt ↓", "Pipelines: move the step"],
];

/** Shows the keys that the pages know. */
export function showKeys(): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const place = document.createElement("div");
  document.body.append(place);
  const close = (): void => {
    render(null, place);
    place.remove();
  };
  render(<Keys onClose={close} />, place);
}

const Keys = ({ onClose }: { onClose(): void }): JSX.Element => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {keys.map(([name, what]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p class="actions">
      <button type="button" class="end" onClick={onClose}>
        Close
      </button>
    </p>
  </Dialog>
);
