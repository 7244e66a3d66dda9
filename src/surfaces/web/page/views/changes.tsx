import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Compared } from "./changed.tsx";
import code from "./code/code.css";
import { CodeBox } from "./code/code.tsx";
import diff from "./diff/diff.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { itemsOf, memberOf, readJson, textOf, toIndented, toLine } from "./json.ts";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Banner, CopyValue, rawTab } from "./parts.tsx";
import { textOfOutcome, useRunInTab } from "./run-in-tab.ts";
import table from "./table.css";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** The changes between two documents of JSON as rows; the page runs the tool once for each form of them. */
export const changesView: View = {
  sheets: [glyphs, code, parts, table, diff],
  tabs(props) {
    const format = formatOf(props);
    const others = (["patch", "merge"] as const).filter((one) => one !== format);
    const count = readChanges(props.result as string)?.length;
    return [
      { ...changesTab, ...(count !== undefined && { count }) },
      besideTab,
      ...(props.callInTab === undefined ? [] : others.map((one) => otherTabs[one])),
      rawTab(lookUp(names, format) ?? "Result", format === "text" ? undefined : "json"),
    ];
  },
  note({ result }) {
    const changes = readChanges(result as string);
    return changes === undefined
      ? undefined
      : `${changes.length.toLocaleString()} ${changes.length === 1 ? "change" : "changes"}`;
  },
};

const names: Readonly<Record<string, string>> = { patch: "JSON Patch", merge: "Merge Patch", text: "Text" };

const formatOf = ({ options, definition }: ViewProps): string =>
  String(options["format"] ?? definition?.input.properties["format"]?.default ?? "patch");

interface Change {
  kind: "added" | "removed" | "changed" | "moved";
  path: string;
  /** The pointer that it is moved to. */
  to?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

/** Returns the changes that a result lists: operations of a patch, or a change a line; undefined if it is something else. */
export function readChanges(result: string): Change[] | undefined {
  if (result.startsWith("[")) {
    return itemsOf(readJson(result)).map((operation): Change => {
      const op = textOf(memberOf(operation, "op"));
      const path = textOf(memberOf(operation, "path")) ?? "";
      const from = textOf(memberOf(operation, "from"));
      const value = memberOf(operation, "value");
      const after = value === undefined ? undefined : toLine(value);
      if (op === "move" || op === "copy") return { kind: "moved", path: from ?? "", to: path };
      return { kind: op === "add" ? "added" : op === "remove" ? "removed" : "changed", path, after };
    });
  }
  if (result !== "" && !/^[-+~>] "/.test(result)) return undefined;
  try {
    return result
      .split("\n")
      .filter((line) => line !== "")
      .map(readLine);
  } catch {
    // Another text that begins so.
    return undefined;
  }
}

function readLine(line: string): Change {
  const path = /^. ("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? '""';
  const rest = line.slice(2 + path.length);
  const place = JSON.parse(path) as string;
  if (line.startsWith("+")) return { kind: "added", path: place, after: rest.replace(/^: /, "") };
  if (line.startsWith("-")) return { kind: "removed", path: place, before: rest.replace(/^: /, "") };
  if (line.startsWith(">"))
    return { kind: "moved", path: place, to: JSON.parse(rest.replace(/^ -> /, "")) as string };
  const values = rest.replace(/^: /, "");
  const at = findArrow(values);
  return { kind: "changed", path: place, before: values.slice(0, at), after: values.slice(at + 4) };
}

/** Returns where the arrow between two values is; one in a string does not count. */
function findArrow(values: string): number {
  const piece = /"(?:[^"\\]|\\.)*"| -> /g;
  for (const { 0: text, index } of values.matchAll(piece)) if (text === " -> ") return index;
  return values.length;
}

const tones = { added: "ok", removed: "bad", changed: "warn", moved: "accent" } as const;

const changesTab: ViewTab = {
  id: "changes",
  label: "Changes",
  Component: Changes,
  text: ({ result }) => result as string,
};

function Changes(props: ViewProps): JSX.Element {
  const { result, input, options, callInTab } = props;
  const given = useMemo(() => readChanges(result as string), [result]);
  /** With the old values, which a patch does not have. */
  const detailed = textOfOutcome(
    useRunInTab(callInTab, formatOf(props) === "text" ? undefined : { format: "text" }, [
      result,
      input,
      JSON.stringify(options),
    ]).value,
  );
  const changes = (detailed === undefined ? undefined : readChanges(detailed)) ?? given;
  if (changes === undefined)
    return <p class="v-view muted">A merge patch is a document; its tab shows it.</p>;
  if (changes.length === 0)
    return (
      <div class="v-view">
        <Banner tone="ok" title="No difference." />
      </div>
    );
  return (
    <div class="v-table" tabIndex={0} role="group" aria-label="Changes">
      <table class="v-data">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Kind</span>
            </th>
            <th scope="col">Path</th>
            <th scope="col">Old</th>
            <th scope="col">New</th>
            <th scope="col">
              <span class="unseen">Copy</span>
            </th>
          </tr>
        </thead>
        <Window count={changes.length} height={2.5} element="tbody">
          {(from, to) => changes.slice(from, to).map((change, at) => <Row change={change} key={from + at} />)}
        </Window>
      </table>
    </div>
  );
}

/** Characters of a value that are drawn. */
const maxValue = 1000;

const cut = (text: string): string => (text.length > maxValue ? `${text.slice(0, maxValue)}…` : text);

function Row({ change: { kind, path, to, before, after } }: { change: Change }): JSX.Element {
  return (
    <tr>
      <td>
        <span class={`tag ${tones[kind]}`}>{kind}</span>
      </td>
      <td>
        <code>{path === "" ? <span class="muted">the whole document</span> : <Glyphs>{path}</Glyphs>}</code>
        {to === undefined ? null : (
          <>
            {" → "}
            <code>
              <Glyphs>{to}</Glyphs>
            </code>
          </>
        )}
      </td>
      <td>
        {before === undefined ? null : (
          <code>
            <del>
              <Glyphs>{cut(before)}</Glyphs>
            </del>
          </code>
        )}
      </td>
      <td>
        {after === undefined ? null : (
          <code>
            <ins>
              <Glyphs>{cut(after)}</Glyphs>
            </ins>
          </code>
        )}
      </td>
      <td>
        <CopyValue title={`Path ${path}`} text={path} />
      </td>
    </tr>
  );
}

const besideTab: ViewTab = {
  id: "beside",
  label: "Side by side",
  Component({ input, options, wraps, callInTab }) {
    const other = typeof options["other"] === "string" ? options["other"] : "";
    // One form for both: a difference of their layout is none of their values.
    const before = useMemo(() => (input.kind === "text" ? layOut(input.text) : undefined), [input]);
    const after = useMemo(() => layOut(other), [other]);
    return <Compared before={before} after={after} wraps={wraps} callInTab={callInTab} />;
  },
  text: ({ options }) => (typeof options["other"] === "string" ? options["other"] : ""),
};

function layOut(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : `${toIndented(value)}\n`;
}

const createOther = (format: "patch" | "merge", label: string): ViewTab => ({
  id: format,
  label,
  Component: ({ callInTab, result, options, wraps }) => {
    const outcome = useRunInTab(callInTab, { format }, [result, JSON.stringify(options)]);
    if (outcome.value?.kind === "refusal") return <p class="v-view muted">{outcome.value.refusal.message}</p>;
    return <CodeBox text={textOfOutcome(outcome.value) ?? ""} language="json" wraps={wraps} label={label} />;
  },
});

const otherTabs = { patch: createOther("patch", "JSON Patch"), merge: createOther("merge", "Merge Patch") };
