import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Finding, Report } from "../../../../catalog/report.ts";
import type { Input } from "../editor/input.ts";
import { Icon } from "../ui/icon.tsx";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { memberOf, readJson, toIndented } from "./json.ts";
import { stepFrom, useJumpKeys } from "./jump-keys.ts";
import parts from "./parts.css";
import { Banner, jsonTab } from "./parts.tsx";
import sheet from "./report.css";
import table from "./table.css";
import { documentTableTab } from "./table.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** A report: what was found, where, and a step to each place. @param variant "table" adds the document as a table. */
export const createReportView = (variant?: "table"): View => ({
  sheets: [glyphs, code, parts, sheet, table],
  tabs: ({ report }) => [
    report === undefined || report.errors.length === 0
      ? findingsTab
      : { ...findingsTab, count: report.errors.length },
    ...(variant === "table" ? [documentTableTab] : []),
    jsonTab,
  ],
  note: ({ report }) => (report === undefined ? undefined : describe(report)),
});

export const findingsTab: ViewTab = {
  id: "findings",
  label: "Findings",
  Component: Findings,
  text: ({ report }) => (report?.errors ?? []).map(toLine).join("\n"),
};

const toLine = ({ line, column, severity, message }: Finding): string =>
  `${line}:${column} ${severity}: ${message}`;

/** Returns "2 errors, 1 warning". */
export function describe({ errors }: Report): string {
  const warnings = errors.filter(({ severity }) => severity === "warning").length;
  const counted = [
    [errors.length - warnings, "error"],
    [warnings, "warning"],
  ] as const;
  const text = counted
    .flatMap(([count, word]) =>
      count === 0 ? [] : [`${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`],
    )
    .join(", ");
  return text === "" ? "Nothing found" : text;
}

function Findings(props: ViewProps): JSX.Element {
  const { report, input, onGoTo } = props;
  const errors = report?.errors ?? [];
  const current = useSignal(-1);
  const place = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => (input.kind === "text" ? input.text.split("\n") : []), [input]);

  function go(index: number): void {
    const finding = errors[index];
    if (finding === undefined) return;
    current.value = index;
    onGoTo?.(finding.line, finding.column);
  }
  useJumpKeys((by) => {
    if (errors.length === 0) return;
    go(stepFrom(current.value, by, errors.length));
    place.current?.querySelector(`[data-row="${current.value}"]`)?.scrollIntoView({ block: "nearest" });
  });

  return (
    <div ref={place}>
      <div class="v-view">
        <Verdict {...props} />
        <NextTools {...props} />
      </div>
      <Window count={errors.length} height={3.75}>
        {(from, to) =>
          errors
            .slice(from, to)
            .map((finding, at) => (
              <Row
                finding={finding}
                line={lines[finding.line - 1]}
                isCurrent={current.value === from + at}
                row={from + at}
                onGo={onGoTo === undefined ? undefined : () => go(from + at)}
                key={from + at}
              />
            ))
        }
      </Window>
      <Detail result={props.result} />
    </div>
  );
}

/** Says in a sentence what the report says. */
export function Verdict({ definition, report, input, onGoTo }: ViewProps): JSX.Element {
  const errors = report?.errors ?? [];
  const [first] = errors;
  const checked = definition?.title.toLowerCase().includes("validator") === true;
  if (report?.valid === true && first === undefined)
    return (
      <Banner tone="ok" title={checked ? "Valid." : "Nothing found."}>
        {describeClean(input)}
      </Banner>
    );
  return (
    <Banner
      tone={report?.valid === true ? "warn" : "bad"}
      title={report?.valid === true ? "Valid, with warnings." : "Not valid."}
      action={
        onGoTo === undefined ? null : (
          <span class="v-keys small muted">
            <kbd>F8</kbd> next
          </span>
        )
      }
    >
      {report === undefined ? "" : describe(report)}
      {first === undefined ? "." : `, the first in line ${first.line.toLocaleString()}.`}
    </Banner>
  );
}

/** Buttons for what may be done with a document in which nothing was found. */
function NextTools({ definition, report, options, onOpenTool }: ViewProps): JSX.Element | null {
  const { next = [] } = definition?.page ?? {};
  if (next.length === 0 || report?.valid !== true || report.errors.length > 0 || onOpenTool === undefined)
    return null;
  return (
    <p class="v-next">
      <span class="muted">Next:</span>
      {next.map(({ slug, text, keeps = [] }) => (
        <button
          type="button"
          class="small"
          title={`Opens ${slug} with this document`}
          onClick={() =>
            onOpenTool(
              slug,
              Object.fromEntries(Object.entries(options).filter(([name]) => keeps.includes(name))),
            )
          }
          key={slug}
        >
          {text}
        </button>
      ))}
    </p>
  );
}

/** Describes the input of a report without findings. */
function describeClean(input: Input): string {
  if (input.kind !== "text") return "No errors, no warnings.";
  const lines = input.text.replace(/\n$/, "").split("\n").length;
  return `No errors and no warnings in ${lines.toLocaleString()} ${lines === 1 ? "line" : "lines"}.`;
}

interface RowProps {
  finding: Finding;
  line: string | undefined;
  isCurrent: boolean;
  row: number;
  onGo: (() => void) | undefined;
}

/** Characters of a line that are shown before and after its finding. */
const around = 60;

function Row({ finding, line, isCurrent, row, onGo }: RowProps): JSX.Element {
  const { message, severity, rule, line: number, column, offset, pointer } = finding;
  const isBad = severity === "error";
  const content = (
    <>
      <span class={isBad ? "v-bad" : "v-warn"}>
        <Icon name={isBad ? "bad" : "warn"} />
        <span class="unseen">
          <Glyphs>{severity}</Glyphs>
        </span>
      </span>
      <span>
        <Glyphs>{message}</Glyphs>
      </span>
      <span class="muted small" title={`Line ${number}, column ${column}, byte ${offset}`}>
        {number}:{column}
      </span>
      <span class="v-finding-more muted small">
        {line === undefined || line === "" ? null : (
          <code>
            <Glyphs>{excerpt(line, column)}</Glyphs>
          </code>
        )}
        <span>
          <Glyphs>{rule}</Glyphs>
        </span>
        {pointer === "" ? null : (
          <code>
            <Glyphs>{pointer}</Glyphs>
          </code>
        )}
      </span>
    </>
  );
  return onGo === undefined ? (
    <div class="v-row-line v-finding" data-row={row}>
      {content}
    </div>
  ) : (
    <button
      type="button"
      class="v-row-line v-finding"
      data-row={row}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onGo}
    >
      {content}
    </button>
  );
}

function excerpt(line: string, column: number): string {
  if (line.length <= 2 * around) return line.trim();
  const from = Math.max(0, column - around);
  return `${from > 0 ? "…" : ""}${line.slice(from, column + around)}…`;
}

/** Shows the members of a report besides its findings, such as the claims of a token. */
function Detail({ result }: { result: ViewProps["result"] }): JSX.Element | null {
  const value = typeof result === "string" && result.length < 1_000_000 ? readJson(result) : undefined;
  if (value?.kind !== "object") return null;
  const others = value.members.filter(([name]) => name !== "valid" && name !== "errors");
  if (others.length === 0) return null;
  return (
    <div class="v-view">
      {others.map(([name]) => {
        const member = memberOf(value, name);
        return member === undefined ? null : (
          <section class="card" key={name}>
            <header>
              <h2>{name}</h2>
            </header>
            <pre class="v-detail" tabIndex={0}>
              <Glyphs>{toIndented(member)}</Glyphs>
            </pre>
          </section>
        );
      })}
    </div>
  );
}
