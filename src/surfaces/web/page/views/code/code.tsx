import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { Code } from "../../editor/code.tsx";
import glyphs from "../glyphs.css";
import { Glyphs } from "../glyphs.tsx";
import { readJson } from "../json.ts";
import { inspectJson } from "../shape.ts";
import type { View, ViewProps, ViewTab } from "../view.ts";
import sheet from "./code.css";
import { findLanguage } from "./languages.ts";
import { findPath, type Path } from "./path.ts";
import { PathBar } from "./path-bar.tsx";
import { Tree } from "./tree.tsx";

/** Names of languages, as tabs have them. */
const names: Readonly<Record<string, string>> = {
  json: "JSON",
  yaml: "YAML",
  toml: "TOML",
  xml: "XML",
  env: ".env",
  sql: "SQL",
  csv: "CSV",
};

/**
 * Text of a language: colours, numbers, folding; JSON also as a tree, and the path of what the cursor stands in.
 * @param changed The tab with what differs from the document.
 */
export function createCodeView(
  language?: string,
  changed?: { tab: ViewTab; sheets: readonly string[] },
): View {
  return {
    sheets: [glyphs, sheet, ...(changed?.sheets ?? [])],
    tabs({ result }) {
      if (typeof result !== "string") return [];
      const found = language ?? findLanguage(result);
      const more = changed === undefined ? [] : [changed.tab];
      const tab: ViewTab = { id: "code", label: names[found ?? ""] ?? "Result", Component: codeOf(found) };
      const isNested = found === "json" && result.length <= maxTree && inspectJson(result).isNested;
      return isNested ? [tab, treeTab, ...more] : [tab, ...more];
    },
  };
}

/** Longest text, in UTF-16 code units, that is shown as a tree. */
const maxTree = 16_000_000;

export const treeTab: ViewTab = { id: "tree", label: "Tree", Component: ResultTree };

function ResultTree({ result }: ViewProps): JSX.Element {
  const value = useMemo(() => readJson(result as string), [result]);
  return value === undefined ? <p class="muted">This is no JSON.</p> : <Tree value={value} />;
}

const components = new Map<string | undefined, ViewTab["Component"]>();

/** Returns the same component for the same language, so that a new result is put into the box that is there. */
export function codeOf(language: string | undefined): ViewTab["Component"] {
  const component =
    components.get(language) ??
    (({ result, wraps }: ViewProps) => (
      <CodeBox text={result as string} language={language} wraps={wraps} label="Result" />
    ));
  components.set(language, component);
  return component;
}

export interface CodeBoxProps {
  text: string;
  language: string | undefined;
  wraps: boolean;
  /** The name of the box for screen readers. */
  label: string;
  /** Whether white space and ends of lines are drawn. */
  white?: boolean;
}

/** Longest text, in UTF-16 code units, that is drawn before CodeMirror is there. */
const maxHead = 20_000;
/** Longest JSON text in which the path of the cursor is searched. */
const maxPathText = 4_000_000;

export function CodeBox({ text, language, wraps, label, white = false }: CodeBoxProps): JSX.Element {
  const path = useSignal<Path>([]);
  const foldAll = useSignal<(() => boolean) | undefined>(undefined);
  const isFolded = useSignal(false);
  const newest = useRef(text);
  newest.current = text;
  const hasPath = language === "json" && text.length <= maxPathText;
  return (
    <div class="v-code">
      {/* What a view begins with, it cannot change. */}
      <div class="v-code-box" key={`${language} ${wraps}`}>
        <Code
          label={label}
          text={text}
          isReadOnly
          wraps={wraps}
          extensions={async () => {
            const { createCodeExtensions } = await import("./extensions.ts");
            return createCodeExtensions({
              language,
              white,
              onCursor(offset) {
                if (language === "json" && newest.current.length <= maxPathText)
                  path.value = findPath(newest.current, offset);
              },
              onReady(fold) {
                foldAll.value = fold;
                isFolded.value = false;
              },
            });
          }}
        >
          <pre class="v-code-text" tabIndex={0}>
            <Glyphs white={white}>{text.length > maxHead ? `${text.slice(0, maxHead)}…` : text}</Glyphs>
          </pre>
        </Code>
      </div>
      {hasPath && text.includes("\n") ? (
        <PathBar
          path={path.value}
          action={
            <button type="button" onClick={() => (isFolded.value = foldAll.value?.() ?? false)}>
              {isFolded.value ? "Unfold all" : "Fold all"}
            </button>
          }
        />
      ) : null}
    </div>
  );
}
