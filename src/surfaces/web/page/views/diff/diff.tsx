import type { JSX } from "preact";
import code from "../code/code.css";
import glyphs from "../glyphs.css";
import { Glyphs } from "../glyphs.tsx";
import { itemsOf, memberOf, readJson, textOf } from "../json.ts";
import parts from "../parts.css";
import { jsonTab, rawTab } from "../parts.tsx";
import type { View, ViewProps, ViewTab } from "../view.ts";
import { DiffBox } from "./diff-box.tsx";
import sheet from "./diff.css";

/** The difference of two texts: a patch, or a list of equal, removed and added stretches. */
export const diffView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs({ result }) {
    const text = result as string;
    if (text.startsWith("{")) return [wordsTab, jsonTab];
    return text === "" || /^@@ /m.test(text)
      ? [besideTab, inlineTab, rawTab("Patch", "diff")]
      : [rawTab("Result")];
  },
};

/** Copy puts the patch into the clipboard, which contains both sides. */
const besideTab: ViewTab = { id: "beside", label: "Side by side", Component: (props) => toBox(props, false) };
const inlineTab: ViewTab = { id: "inline", label: "Inline", Component: (props) => toBox(props, true) };

const toBox = ({ result, input, options, wraps }: ViewProps, isInline: boolean): JSX.Element => (
  <DiffBox
    patch={result as string}
    before={input.kind === "text" ? input.text : undefined}
    after={typeof options["other"] === "string" ? options["other"] : undefined}
    isInline={isInline}
    wraps={wraps}
  />
);

const wordsTab: ViewTab = {
  id: "words",
  label: "Marked",
  Component({ result }) {
    const value = readJson(result as string);
    return (
      <>
        <div class="v-diff-bar">
          <span class="tag ok">+{textOf(memberOf(value, "added"))}</span>
          <span class="tag bad">−{textOf(memberOf(value, "removed"))}</span>
          <span class="muted small">
            {textOf(memberOf(value, "equal")) === "true" ? "No difference" : ""}
          </span>
        </div>
        <div class="v-words" tabIndex={0} role="group" aria-label="The difference">
          {itemsOf(memberOf(value, "changes")).map((change, index) => {
            const text = textOf(memberOf(change, "text")) ?? "";
            const op = textOf(memberOf(change, "op"));
            const Mark = op === "insert" ? "ins" : op === "delete" ? "del" : "span";
            return (
              <Mark key={index}>
                <Glyphs white={op !== "equal"}>{text}</Glyphs>
              </Mark>
            );
          })}
        </div>
      </>
    );
  },
};
