import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toAge } from "./hint.ts";
import { itemsOf, type Json, memberOf, readJson, textOf, toIndented } from "./json.ts";
import { Items } from "./list.tsx";
import { type Run, useManyRuns } from "./many-runs.ts";
import { NetworkBits } from "./network-bits.tsx";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Banner, Card, CopyValue, jsonTab, Properties, type Property, textTab, toWords } from "./parts.tsx";
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
};

const toText = (rows: readonly Property[]): string =>
  rows.map(({ label, text }) => `${label}\t${text}`).join("\n");

const objectTab: ViewTab = {
  id: "properties",
  label: "Properties",
  Component: ({ result }) => <ObjectProperties value={readJson(result as string) as Json} />,
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

/** What is asked of a network first; the rest follows in the order of the API. */
const ofNetwork = ["cidr", "first", "last", "firstUsable", "lastUsable", "usable", "addresses", "netmask"];

function inOrder(members: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  if (!members.some(([name]) => name === "firstUsable")) return members;
  const rank = ([name]: readonly [string, Json]): number =>
    ofNetwork.includes(name) ? ofNetwork.indexOf(name) : ofNetwork.length;
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

function ObjectProperties({ value }: { value: Json }): JSX.Element {
  const time = textOf(memberOf(value, "utc"));
  const age = time === undefined ? undefined : toAge(Date.parse(time));
  const prefix = textOf(memberOf(value, "prefix"));
  const bits = textOf(memberOf(value, "version")) === "6" ? 128 : 32;
  const nested =
    value.kind === "object" ? value.members.filter(([, member]) => toFlat(member) === undefined) : [];
  return (
    <div class="v-view">
      {age === undefined ? null : <p class="v-big">{age}</p>}
      <Url value={value} />
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

/** The parts of a URL in colours, and a warning if it carries a password. */
function Url({ value }: { value: Json }): JSX.Element | null {
  const part = (name: string): string => textOf(memberOf(value, name)) ?? "";
  if (part("href") === "" || part("protocol") === "") return null;
  const [user, password] = [part("username"), part("password")];
  const login = `${user}${password === "" ? "" : `:${password}`}`;
  const slashes = part("href").startsWith(`${part("protocol")}//`) ? "//" : "";
  return (
    <>
      {password === "" ? null : (
        <Banner
          tone="warn"
          title="It carries a password."
          action={<CopyValue title="URL without the password" text={part("href").replace(`${login}@`, "")} />}
        >
          Browsers drop it from the address bar, logs do not.
        </Banner>
      )}
      <p class="v-value-large">
        <Glyphs>{part("protocol") + slashes}</Glyphs>
        {login === "" ? null : (
          <>
            <span class="v-part-1">
              <Glyphs>{login}</Glyphs>
            </span>
            @
          </>
        )}
        <span class="v-part-2">
          <Glyphs>{part("hostname")}</Glyphs>
        </span>
        {part("port") === "" ? null : <Glyphs>{`:${part("port")}`}</Glyphs>}
        <span class="v-part-3">
          <Glyphs>{part("pathname")}</Glyphs>
        </span>
        <span class="v-number">
          <Glyphs>{part("search")}</Glyphs>
        </span>
        <span class="v-word">
          <Glyphs>{part("hash")}</Glyphs>
        </span>
      </p>
    </>
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
