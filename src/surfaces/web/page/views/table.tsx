import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import code from "./code/code.css";
import { codeOf, treeTab } from "./code/code.tsx";
import { readCsv, type Sheet } from "./csv.ts";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { itemsOf, type Json, memberOf, readJson, toLine } from "./json.ts";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { jsonTab, rawTab, textTab } from "./parts.tsx";
import { inspectJson } from "./shape.ts";
import sheet from "./table.css";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** A cell: its text, and whether a number or a word such as `null` stands there. */
interface Cell {
  text: string;
  kind: "text" | "number" | "word" | "none";
}

interface Grid {
  header: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** Rows with a header; they can be sorted, on sight only. */
export const tableView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs(props) {
    const text = props.result as string;
    if (!/^\s*[[{]/.test(text)) {
      if (props.definition !== undefined && props.definition.slug.endsWith("-to-csv"))
        return [csvTab, rawTab("CSV", "csv")];
      return gridOfLines(props) === undefined ? [textTab] : [linesTab, textTab];
    }
    if (inspectJson(text).isTable) return [tableTab, treeTab, jsonTab];
    return itemsOf(memberOf(readJson(text), "items")).length > 0
      ? [itemsTab, jsonTab]
      : [csvTab, rawTab("CSV", "csv")];
  },
};

const createTab = (label: string, toGrid: (props: ViewProps) => Grid | undefined): ViewTab => ({
  id: "table",
  label,
  Component(props) {
    const grid = useMemo(() => toGrid(props), [props.result, props.input]);
    return grid === undefined ? <p class="v-view muted">This is no table.</p> : <Table grid={grid} />;
  },
  text: (props) => {
    const grid = toGrid(props);
    return grid === undefined
      ? ""
      : [grid.header, ...grid.rows.map((row) => row.map(({ text }) => text))]
          .map((row) => row.join("\t"))
          .join("\n");
  },
});

/** The items of a JSON array as rows. */
export const tableTab: ViewTab = createTab("Table", ({ result }) =>
  gridOf(itemsOf(readJson(result as string))),
);
const itemsTab: ViewTab = createTab("Table", ({ result }) =>
  gridOf(itemsOf(memberOf(readJson(result as string), "items"))),
);
const csvTab: ViewTab = createTab("Table", ({ result, options }) => gridOfCsv(result as string, options));
/** The document, which is CSV, as a table. */
export const documentTableTab: ViewTab = createTab("Table", ({ input, options }) =>
  input.kind === "text" ? gridOfCsv(input.text, options) : undefined,
);
const linesTab: ViewTab = createTab("Result", gridOfLines);

/** Returns the lines of the document beside those of the result, if each has one. */
function gridOfLines({ input, result, options }: ViewProps): Grid | undefined {
  if (input.kind !== "text") return undefined;
  const [given, made] = [input.text.trimEnd().split("\n"), (result as string).trimEnd().split("\n")];
  if (given.length !== made.length) return undefined;
  const other = typeof options["other"] === "string" ? options["other"] : undefined;
  const cell = (text: string): Cell => ({ text, kind: "text" });
  return {
    header: ["Input", ...(other === undefined ? [] : ["Compared with"]), "Result"],
    rows: given.map((line, index) => [
      cell(line),
      ...(other === undefined ? [] : [cell(other)]),
      cell(
        `${made[index] ?? ""}${given.length === 1 && other !== undefined ? (lookUp(orders, made[index] ?? "") ?? "") : ""}`,
      ),
    ]),
  };
}

/** Words for the results of a comparison. */
const orders: Readonly<Record<string, string>> = { "-1": " (older)", "0": " (equal)", "1": " (newer)" };

/** Columns that a table has at most; further members stay in the other tabs. */
const maxColumns = 200;

export function gridOf(items: readonly Json[]): Grid {
  const header = new Set<string>();
  for (const item of items)
    if (item.kind === "object")
      for (const [name] of item.members) if (header.size < maxColumns) header.add(name);
  const names = [...header];
  return {
    header: names,
    rows: items.map((item) => names.map((name) => toCell(memberOf(item, name)))),
  };
}

function toCell(value: Json | undefined): Cell {
  if (value === undefined) return { text: "", kind: "none" };
  if (value.kind === "string") return { text: value.text, kind: "text" };
  if ("text" in value) return { text: value.text, kind: value.kind };
  if (value.kind === "array" && value.items.every((item) => "text" in item))
    return { text: value.items.map((item) => ("text" in item ? item.text : "")).join(", "), kind: "text" };
  return { text: toLine(value), kind: "text" };
}

function gridOfCsv(text: string, options: ViewProps["options"]): Grid {
  const given = options["delimiter"];
  const delimiter =
    given === "tab" ? "\t" : typeof given === "string" && given.length === 1 ? given : undefined;
  const { header, rows }: Sheet = readCsv(text, delimiter, options["header"] !== false);
  return {
    header,
    rows: rows.map((row) => row.map((cell) => ({ text: cell, kind: isNumber(cell) ? "number" : "text" }))),
  };
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** Rows from which on only those in sight are drawn. */
const maxDrawn = 1000;
/** Characters of a cell that are drawn. */
const maxCell = 2000;

export function Table({ grid: { header, rows } }: { grid: Grid }): JSX.Element {
  const order = useSignal<{ column: number; isDown: boolean } | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const indexes = useMemo(() => sort(rows, order.value), [rows, order.value]);
  const numeric = useMemo(
    () => header.map((_, column) => rows.slice(0, 100).every((row) => isNumeric(row[column]))),
    [rows],
  );
  const row = (at: number): JSX.Element => {
    const index = indexes[at] ?? 0;
    return (
      <tr key={index}>
        <td class="v-number-cell muted">{index + 1}</td>
        {header.map((_, column) => (
          <Field cell={rows[index]?.[column]} isNumeric={numeric[column] ?? false} key={column} />
        ))}
      </tr>
    );
  };
  return (
    <div class="v-table" ref={place} tabIndex={0} role="group" aria-label="Table">
      <table class="v-data v-grid">
        <thead>
          <tr>
            <th scope="col" class="v-number-cell">
              #
            </th>
            {header.map((name, column) => (
              <Head
                name={name}
                isNumeric={numeric[column] ?? false}
                order={order.value?.column === column ? order.value.isDown : undefined}
                onSort={() => {
                  const { column: last, isDown } = order.value ?? {};
                  order.value =
                    last !== column
                      ? { column, isDown: false }
                      : isDown === true
                        ? undefined
                        : { column, isDown: true };
                  place.current?.scrollTo({ top: 0 });
                }}
                key={column}
              />
            ))}
          </tr>
        </thead>
        {rows.length > maxDrawn ? (
          <Window count={rows.length} height={1.8125} element="tbody" key={JSON.stringify(order.value)}>
            {(from, to) => Array.from({ length: to - from }, (_, at) => row(from + at))}
          </Window>
        ) : (
          <tbody>
            {rows.length > 0 ? (
              rows.map((_, at) => row(at))
            ) : (
              <tr>
                <td colSpan={header.length + 1} class="muted">
                  No rows.
                </td>
              </tr>
            )}
          </tbody>
        )}
      </table>
    </div>
  );
}

interface HeadProps {
  name: string;
  isNumeric: boolean;
  /** Whether the column is sorted downwards; undefined if it is not sorted. */
  order: boolean | undefined;
  onSort(): void;
}

const Head = ({ name, isNumeric, order, onSort }: HeadProps): JSX.Element => (
  <th
    scope="col"
    class={isNumeric ? "v-number-cell" : undefined}
    aria-sort={order === undefined ? "none" : order ? "descending" : "ascending"}
  >
    <button type="button" class="v-sort" title="Sort, on sight only" onClick={onSort}>
      {name === "" ? <span class="muted">empty</span> : <Glyphs>{name}</Glyphs>}
      <span aria-hidden="true">{order === undefined ? "" : order ? " ↓" : " ↑"}</span>
    </button>
  </th>
);

function Field({ cell, isNumeric: isRight }: { cell: Cell | undefined; isNumeric: boolean }): JSX.Element {
  const { text, kind } = cell ?? { text: "", kind: "none" };
  if (kind === "none") return <td />;
  if (text === "")
    return (
      <td>
        <span class="muted">empty</span>
      </td>
    );
  return (
    <td class={isRight ? "v-number-cell" : kind === "word" ? "v-word" : undefined}>
      <Glyphs white>{text.length > maxCell ? `${text.slice(0, maxCell)}…` : text}</Glyphs>
    </td>
  );
}

const isNumeric = (cell: Cell | undefined): boolean =>
  cell === undefined ||
  cell.text === "" ||
  cell.kind === "number" ||
  (cell.kind === "text" && isNumber(cell.text));

const collator = new Intl.Collator("en", { numeric: true });

/** Returns the indexes of rows in their order; equal ones keep theirs, and empty cells are last. */
function sort(rows: Grid["rows"], order: { column: number; isDown: boolean } | undefined): number[] {
  const indexes = Array.from(rows, (_, index) => index);
  if (order === undefined) return indexes;
  const { column, isDown } = order;
  const texts = rows.map((row) => row[column]?.text ?? "");
  const numbers = texts.map(Number);
  const areNumbers = texts.every((text) => text === "" || isNumber(text));
  return indexes.toSorted((a, b) => {
    const [left = "", right = ""] = [texts[a], texts[b]];
    if (left === "" || right === "") return Number(left === "") - Number(right === "");
    const found = areNumbers ? (numbers[a] ?? 0) - (numbers[b] ?? 0) : collator.compare(left, right);
    return isDown ? -found : found;
  });
}

/** JSON that is a table, with its text first. */
export const jsonTableView: View = {
  sheets: [glyphs, code, parts, sheet],
  tabs({ result }) {
    const first: ViewTab = { id: "code", label: "JSON", Component: codeOf("json") };
    const { isNested, isTable } = inspectJson(typeof result === "string" ? result : "");
    return [first, ...(isTable ? [tableTab] : []), ...(isNested ? [treeTab] : [])];
  },
};
