import type { JSX } from "preact";
import { CodeBox, codeOf } from "./code/code.tsx";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { changed } from "./changed.tsx";
import { Properties, type Property } from "./parts.tsx";
import { Rendered } from "./ansi.tsx";
import sheet from "./text.css";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** @param variant "diff" compares the text with the document; "marks" draws its white space, too. */
export function createTextView(variant?: "diff" | "marks"): View {
  const first: ViewTab = {
    id: "text",
    label: "Text",
    isPreferred: true,
    Component: variant === "marks" ? MarkedText : codeOf(undefined),
  };
  return {
    sheets: [glyphs, code, sheet, ...changed.sheets],
    tabs: (props) => (variant === undefined ? [...extraTabs(props), first] : [first, changed.tab]),
  };
}

const MarkedText = ({ result, wraps }: ViewProps): JSX.Element => (
  <CodeBox text={result as string} language={undefined} wraps={wraps} label="Result" white />
);

/** Returns what else a text is, if it is something else. */
function extraTabs({ definition, result, input }: ViewProps): ViewTab[] {
  const text = result as string;
  // eslint-disable-next-line no-control-regex
  if (input.kind === "text" && /\u001b\[[\d;:]*m/.test(input.text)) return [renderedTab];
  if (definition?.inverse === "base64-decoder" && /^[\w+/-]+=*$/.test(text)) return [dataUriTab];
  if (isQuery(text)) return [pairsTab];
  return text.length < maxUrl && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim())
    ? [partsTab]
    : [];
}

/** Longest text that is read as a URL or a query. */
const maxUrl = 100_000;

const isQuery = (text: string): boolean =>
  text.length < maxUrl && /^\??[^\s=&?#/]+=[^\s=&#]*(?:&[^\s=&#]+(?:=[^\s&#]*)?)*$/.test(text);

const renderedTab: ViewTab = {
  id: "rendered",
  label: "Rendered",
  Component: ({ input }) => <Rendered text={input.kind === "text" ? input.text : ""} />,
  text: ({ input }) => (input.kind === "text" ? input.text : ""),
};

const toDataUri = ({ result }: ViewProps): string =>
  // RFC 2397 wants the alphabet with "+" and "/".
  `data:application/octet-stream;base64,${(result as string).replaceAll("-", "+").replaceAll("_", "/")}`;

const dataUriTab: ViewTab = {
  id: "data-uri",
  label: "Data URI",
  Component: (props) => (
    <CodeBox text={toDataUri(props)} language={undefined} wraps={props.wraps} label="Data URI" />
  ),
  text: toDataUri,
};

const pairsTab: ViewTab = {
  id: "pairs",
  label: "Pairs",
  Component: ({ result }) => (
    <div class="v-view">
      <div class="card">
        <Properties rows={pairsOf(result as string)} />
      </div>
    </div>
  ),
  text: ({ result }) => toLines(pairsOf(result as string)),
};

const pairsOf = (query: string): Property[] =>
  [...new URLSearchParams(query)].map(([label, text]) => ({ label, text }));

const partsTab: ViewTab = {
  id: "parts",
  label: "Parts",
  Component: ({ result }) => (
    <div class="v-view">
      <div class="card">
        <Properties rows={urlPartsOf(result as string)} />
      </div>
    </div>
  ),
  text: ({ result }) => toLines(urlPartsOf(result as string)),
};

function urlPartsOf(text: string): Property[] {
  const url = new URL(text.trim());
  const named = [
    ["Scheme", url.protocol],
    ["User", url.username],
    ["Password", url.password],
    ["Host", url.host],
    ["Path", url.pathname],
    ["Fragment", url.hash],
  ] as const;
  return [
    ...named.flatMap(([label, part]) => (part === "" ? [] : [{ label, text: part }])),
    ...[...url.searchParams].map(([name, value]) => ({ label: `Query: ${name}`, text: value })),
  ];
}

const toLines = (rows: readonly Property[]): string =>
  rows.map(({ label, text }) => `${label}\t${text}`).join("\n");
