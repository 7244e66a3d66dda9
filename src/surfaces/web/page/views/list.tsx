import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import parts from "./parts.css";
import { CopyValue, textTab } from "./parts.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** One item a line, each with a button that copies it. */
export const listView: View = {
  sheets: [glyphs, code, parts],
  tabs: (props) => [{ ...listTab, count: linesOf(props).length }, textTab],
  note(props) {
    const { length } = linesOf(props);
    return `${length.toLocaleString()} ${length === 1 ? "item" : "items"}`;
  },
};

const listTab: ViewTab = { id: "list", label: "Items", Component: List };

/** Returns the lines of a result. */
export const linesOf = ({ result }: ViewProps): string[] => {
  const lines = (result as string).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

function List(props: ViewProps): JSX.Element {
  return <Items lines={linesOf(props)} />;
}

export const Items = ({ lines }: { lines: readonly string[] }): JSX.Element => (
  <Window count={lines.length} height={2.5}>
    {(from, to) =>
      lines.slice(from, to).map((line, at) => (
        <div class="v-item" key={from + at}>
          <code class="v-grow">
            <Glyphs>{line}</Glyphs>
          </code>
          <CopyValue title={line} text={line} />
        </div>
      ))
    }
  </Window>
);
