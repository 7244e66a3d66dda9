import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toAge } from "./hint.ts";
import { itemsOf, type Json, memberOf, readJson, textOf, toIndented } from "./json.ts";
import { Lead } from "./lead.tsx";
import { Items } from "./list.tsx";
import { type Run, useManyRuns } from "./many-runs.ts";
import { NetworkBits } from "./network-bits.tsx";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Card, jsonTab, Properties, type Property, textTab, toWords } from "./parts.tsx";
import sheet from "./properties.css";
import { isTable } from "./shape.ts";
import table from "./table.css";
import { gridOf, Table } from "./table.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Zones } from "./zones.tsx";

/** Rows of a label, a value and a button that copies it: of an object, of header fields, or of the forms of one value. */
export const propertiesView: View = {
  sheets: [glyphs, code, parts, table, sheet],
  tabs(props) {
    const text = props.result as string;
    const value = readJson(text);
    if (value?.kind === "object") return [objectTab, jsonTab];
    if (/^[\w-]+: .*$/m.test(text) && text.split("\n").every((line) => /^(?:[\w-]+: .*)?$/.test(line)))
      return [headersTab, textTab];
    if (formsOf(props) !== undefined) return [formsTab, textTab];
    if (zoneOption(props)) return [zonesTab, textTab];
    return [linesTab, textTab];
  },
  Lead: ({ result }) => <Lead value={readJson(result as string)} />,
};

const toText = (rows: readonly Property[]): string =>
  rows.map(({ label, text }) => `${label}\t${text}`).join("\n");

const objectTab: ViewTab = {
  id: "properties",
  label: "Properties",
  Component: ({ result, isLed }) => (
    <ObjectProperties value={readJson(result as string) as Json} isLed={isLed === true} />
  ),
  text: ({ result }) => toText(rowsOf(readJson(result as string) as Json)),
};

/** Words for members that say too little by themselves. */
const words: Readonly<Record<string, string>> = {
  iso: "ISO 8601",
  utc: "UTC",
  unix: "Unix, seconds",
  unixMs: "Unix, ms",
  unixUs: "Unix, µs",
  unixNs: "Unix, ns",
  rfc7231: "HTTP date",
  isoWeek: "ISO week",
  href: "URL",
  protocol: "Scheme",
  username: "User",
  hostname: "Host name",
  pathname: "Path",
  search: "Query",
  hash: "Fragment",
  cidr: "CIDR",
};

/** Parts of a URL, in the colours of the whole. */
const urlParts: Readonly<Record<string, string>> = {
  username: "v-part-1",
  password: "v-part-1",
  hostname: "v-part-2",
  pathname: "v-part-3",
  search: "v-number",
  hash: "v-word",
};

/** The members of a network and of a time that come first, by a member that only they have; the others follow in the order of the API. */
const asked: Readonly<Record<string, readonly string[]>> = {
  firstUsable: ["cidr", "first", "last", "firstUsable", "lastUsable", "usable", "addresses", "netmask"],
  unixMs: ["iso", "utc", "rfc7231", "unix", "unixMs", "unixUs", "unixNs", "isoWeek", "dayOfYear", "excel"],
};

function inOrder(members: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  const [, first] = Object.entries(asked).find(([own]) => members.some(([name]) => name === own)) ?? [];
  if (first === undefined) return members;
  const rank = ([name]: readonly [string, Json]): number =>
    first.includes(name) ? first.indexOf(name) : first.length;
  return members.toSorted((one, other) => rank(one) - rank(other));
}

function rowsOf(value: Json): Property[] {
  if (value.kind !== "object") return [];
  // The headline says how long ago it is, once for all its forms.
  const isTime = memberOf(value, "utc") !== undefined;
  const isUrl = memberOf(value, "href") !== undefined && memberOf(value, "protocol") !== undefined;
  return inOrder(value.members).flatMap(([name, member]) => {
    const label = lookUp(words, name) ?? toWords(name);
    const text = toFlat(member);
    if (text === undefined) return [];
    const time =
      member.kind === "string" && /^\d{4}-\d{2}-\d{2}T/.test(text) ? toAge(Date.parse(text)) : undefined;
    return [
      {
        label,
        text,
        ...(isUrl && { class: lookUp(urlParts, name) }),
        ...(time !== undefined && !isTime && { note: time }),
      },
    ];
  });
}

/** Returns a scalar, or a list of scalars one a line; undefined if it is something else. */
function toFlat(value: Json): string | undefined {
  if ("text" in value) return value.text;
  if (value.kind === "array" && value.items.every((item) => "text" in item))
    return value.items.map((item) => textOf(item)).join("\n");
  return undefined;
}

function ObjectProperties({ value, isLed }: { value: Json; isLed: boolean }): JSX.Element {
  const prefix = textOf(memberOf(value, "prefix"));
  const bits = textOf(memberOf(value, "version")) === "6" ? 128 : 32;
  const nested =
    value.kind === "object" ? value.members.filter(([, member]) => toFlat(member) === undefined) : [];
  return (
    <div class="v-view">
      {isLed ? null : <Lead value={value} />}
      <div class={nested.length > 0 || prefix !== undefined ? "v-columns" : undefined}>
        <div class="card">
          <Properties rows={rowsOf(value)} />
        </div>
        {prefix === undefined ? null : <NetworkBits prefix={Number(prefix)} bits={bits} />}
        {nested.map(([name, member]) => (
          <Card
            title={lookUp(words, name) ?? toWords(name)}
            note={`${itemsOf(member).length || ""}`}
            key={name}
          >
            {isTable(member) ? (
              <Table grid={gridOf(itemsOf(member))} />
            ) : (
              <pre class="v-nested" tabIndex={0}>
                <Glyphs>{toIndented(member)}</Glyphs>
              </pre>
            )}
          </Card>
        ))}
      </div>
    </div>
  );
}

const headersTab: ViewTab = {
  id: "headers",
  label: "Headers",
  Component: ({ result }) => (
    <div class="v-view">
      <div class="card">
        <Properties rows={headersOf(result as string)} />
      </div>
    </div>
  ),
};

const headersOf = (text: string): Property[] =>
  text.split("\n").flatMap((line) => {
    const at = line.indexOf(": ");
    return at === -1 ? [] : [{ label: line.slice(0, at), text: line.slice(at + 2) }];
  });

const linesTab: ViewTab = {
  id: "lines",
  label: "Values",
  Component: ({ result }) => <Items lines={(result as string).split("\n").filter((line) => line !== "")} />,
};

/** Bases that people read; any other is an option away. */
const bases = [2, 8, 10, 16, 36];
/** Forms that are shown at most. */
const maxForms = 40;

/** Returns the values of the option `to`, if the tool has a closed set of them: one value is shown in all its forms. */
function formsOf({ definition, result }: ViewProps): readonly (string | number)[] | undefined {
  const schema = definition?.input.properties["to"];
  if (schema === undefined || typeof result !== "string") return undefined;
  if (schema.enum !== undefined)
    return schema.enum.filter((value) => value !== "auto" && value !== "all").slice(0, maxForms);
  return schema.type === "integer" && schema.minimum === 2 && schema.maximum === 36 ? bases : undefined;
}

const formsTab: ViewTab = { id: "forms", label: "Forms", Component: Forms };

function Forms(props: ViewProps): JSX.Element {
  const values = formsOf(props) ?? [];
  const chosen = props.options["to"];
  const extra = typeof chosen === "string" || typeof chosen === "number" ? chosen : undefined;
  const all = extra === undefined || values.includes(extra) || extra === "auto" ? values : [extra, ...values];
  const runs = useManyRuns(props, "to", all);
  const rows = runs.value.flatMap(({ value, result }) =>
    result === undefined || result === null || result === ""
      ? []
      : [{ label: typeof value === "number" ? `Base ${value}` : toFormName(value), text: result }],
  );
  const result = props.result as string;
  const isListed = rows.some(({ text }) => text === result);
  return (
    <div class="v-view">
      <div class="card">
        <Properties rows={isListed ? rows : [{ label: "Result", text: result }, ...rows]} />
      </div>
      <Note runs={runs.value} />
    </div>
  );
}

/** Says where the rows come from, and what is missing. */
function Note({ runs }: { runs: readonly Run[] }): JSX.Element {
  const refused = runs.filter(({ result }) => result === null).length;
  return (
    <p class="muted small">
      The tool runs once a row, in this tab.
      {refused === 0 ? "" : ` It refuses ${refused.toLocaleString()} of the forms for this input.`}
    </p>
  );
}

const toFormName = (value: string): string =>
  /^[a-z]+(?:-[a-z]+)*$/.test(value)
    ? value.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase())
    : value;

const zoneOption = ({ definition }: ViewProps): boolean =>
  definition?.input.properties["to"] !== undefined && definition.input.properties["from"] !== undefined;

const zonesTab: ViewTab = { id: "zones", label: "Zones", Component: Zones };
