import type { Command } from "../../src/surfaces/cli/command.ts";
import { createFiles } from "../../src/surfaces/cli/files.ts";
import { commandsOf } from "../../src/surfaces/cli/find-command.ts";
import { descriptionOf, type Row, sectionsOf, usagesOf } from "../../src/surfaces/cli/help.ts";
import type { Host } from "../../src/surfaces/cli/host.ts";
import { wrapWords } from "../../src/surfaces/cli/table.ts";
import { root } from "../../src/surfaces/cli/root.ts";
import { createProgram } from "../../src/program.ts";

export interface Release {
  version: string;
  date: Date;
}

/** Returns the manual in mdoc(7), by file name: a page about penknife, and one for each of its commands. */
export async function manPages(release: Release): Promise<Map<string, string>> {
  const host = createTreeHost();
  const commands = await load(root, host);
  const names = ["penknife", ...commands.map(([name]) => `penknife-${name}`)];
  const pages = new Map([["penknife.1", toPage("penknife", root, await toOverview(host), names, release)]]);
  for (const [name, command] of commands) {
    const body = await toCommandBody(command, `penknife ${name}`, host);
    pages.set(`penknife-${name}.1`, toPage(`penknife-${name}`, command, body, names, release));
  }
  return pages;
}

/** A host that reaches the command tree and nothing of this machine. */
function createTreeHost(): Host {
  const program = createProgram({ writeLog: () => undefined, logIsTTY: () => false, resident: () => 0 });
  const part: Pick<Host, "env" | "files" | "line" | "program"> = {
    env: {},
    files: createFiles("/"),
    line: [],
    program: { ...program, findConfigFile: async () => ({ file: undefined, searched: true, ignored: [] }) },
  };
  return part as Host;
}

async function load(command: Command, host: Host): Promise<[name: string, command: Command][]> {
  const commands = Object.entries((await commandsOf(command, host)) ?? {});
  const loaded = await Promise.all(
    commands.map(async ([name, one]): Promise<[string, Command]> => [name, await one()]),
  );
  return loaded.filter(([, { meta }]) => (meta as { hidden?: boolean }).hidden !== true);
}

interface Body {
  synopsis: readonly string[];
  description: readonly string[];
  examples: readonly string[];
}

function toPage(
  name: string,
  command: Command,
  { synopsis, description, examples }: Body,
  names: readonly string[],
  { version, date }: Release,
): string {
  const day = date.toLocaleDateString("en-US", { timeZone: "UTC", dateStyle: "long" });
  const summary =
    name === "penknife"
      ? "developer tools over HTTP and on the command line"
      : firstSentence(descriptionOf(command));
  const lines = [
    `.Dd ${day}`,
    `.Dt ${name.toUpperCase()} 1`,
    `.Os penknife ${version}`,
    ".Sh NAME",
    `.Nm ${name}`,
    `.Nd ${escape(summary)}`,
    ".Sh SYNOPSIS",
    ...synopsis,
    ".Sh DESCRIPTION",
    ...description,
    ".Sh ENVIRONMENT",
    ...toList(environment),
    ".Sh FILES",
    ...toList(files),
    ".Sh EXIT STATUS",
    ...toList(statuses),
    ...(examples.length > 0 ? [".Sh EXAMPLES", ...examples] : []),
    ".Sh SEE ALSO",
    ...names
      .filter((other) => other !== name)
      .toSorted()
      .map((other, at, all) => `.Xr ${other} 1${at < all.length - 1 ? " ," : ""}`),
  ];
  return `${lines.join("\n")}\n`;
}

async function toOverview(host: Host): Promise<Body> {
  const lists = toSections(await sectionsOf(root, "penknife", host), "");
  return {
    synopsis: await toSynopsis(root, "penknife"),
    description: [...toText(descriptionOf(root)), ...toText("Each command has a page of its own."), ...lists],
    examples: toExamples(root),
  };
}

/** The page of a command contains its subcommands, however deep; of tools it lists the options below each. */
async function toCommandBody(command: Command, path: string, host: Host): Promise<Body> {
  const members = await load(command, host);
  const tools = command.kind === "tool";
  const own = (await sectionsOf(command, path, host)).filter(
    ([heading]) => !/^(?:Tools \(.+\)|Commands)$/.test(heading),
  );
  const description = [...toText(descriptionOf(command)), ...toSections(own, "")];
  const examples = toExamples(command);
  if (tools) description.push(".Ss Tools", ...toText(`The options of a tool are those of its fields.`));
  for (const [name, member] of members) {
    const { description: text, examples: more } = await toMember(
      member,
      `${path} ${name}`,
      tools ? name : "",
      host,
    );
    description.push(...text);
    if (!tools) examples.push(...more);
  }
  return { synopsis: await toSynopsis(command, path), description, examples };
}

async function toMember(
  command: Command,
  path: string,
  tool: string,
  host: Host,
): Promise<Omit<Body, "synopsis">> {
  const members = await load(command, host);
  const heading = tool === "" ? path.replace(/^penknife /, "") : tool;
  const sections = (await sectionsOf(command, path, host)).filter(
    ([name]) => !/^(?:Tools \(.+\)|Commands|Global options)$/.test(name),
  );
  const description = [`.Ss ${escape(heading)}`];
  if (members.length === 0) {
    for (const words of await usagesOf(command, path))
      description.push(`.D1 ${toWords(words.join(" "))}`, ".Pp");
  }
  description.push(...toText(descriptionOf(command)), ...toSections(sections, "plain"));
  const examples = toExamples(command);
  for (const [name, member] of members) {
    const below = await toMember(member, `${path} ${name}`, "", host);
    description.push(...below.description);
    examples.push(...below.examples);
  }
  return { description, examples };
}

async function toSynopsis(command: Command, path: string): Promise<string[]> {
  const usages = await usagesOf(command, path);
  return usages.flatMap((words) => [".Nm penknife", ...toText(words.join(" ").replace(/^penknife ?/, ""))]);
}

/** @param style `plain` leaves the heading out. */
function toSections(sections: readonly (readonly [string, readonly Row[]])[], style: string): string[] {
  return sections.flatMap(([heading, rows]) => {
    if (rows.length === 0) return [];
    return [...(style === "plain" ? [] : [`.Ss ${escape(heading)}`]), ...toList(rows)];
  });
}

function toList(rows: readonly Row[]): string[] {
  const items = rows.flatMap(({ left, text, choices = [] }) => [
    `.It ${toWords(left)}`,
    ...toText(choices.length > 0 ? `${text.replace(/\.?$/, ".")} One of: ${choices.join(", ")}.` : text),
  ]);
  return [".Bl -tag -width Ds", ...items, ".El"];
}

const toExamples = ({ examples = [] }: Command): string[] =>
  examples.flatMap((line) => [".Pp", `.Dl ${toWords(line)}`]).slice(1);

/** The arguments of a macro, of which none is the name of another macro: each is quoted or escaped. */
const toWords = (text: string): string => `\\&${escape(text).replaceAll(" ", "\\ ")}`;

/** Each sentence begins a line, as mdoc wants it, and no line is long. */
const toText = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+(?=[A-Z])/)
    .filter((sentence) => sentence !== "")
    .flatMap((sentence) => wrapWords(sentence.split(/\s+/).map(escape), 78).map(asText));

/** A line that begins with a dot or a quote would be a request. */
const asText = (line: string): string => line.replace(/^(?=[.'])/, "\\&");

const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll(
      /[^\0-\x7f]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );

/** The first sentence, as the line after the name of a page. */
function firstSentence(text: string): string {
  const [sentence = ""] = text.split(/[.;](?:\s|$)/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

const environment: Row[] = [
  { left: "PENKNIFE_CONFIG", text: "The configuration file, unless --config names one." },
  {
    left: "PENKNIFE_SECTION_NAME",
    text: "The option section.name of the configuration, such as PENKNIFE_SERVER_PORT. With _FILE at the end, the file to read the value from.",
  },
  {
    left: "PENKNIFE_URL, PENKNIFE_KEY",
    text: "The server and the key of the commands of inbox, unless options name them.",
  },
  { left: "NO_COLOR", text: "Print without colours if it is not empty." },
];

const files: Row[] = [
  { left: "penknife.yaml", text: "The configuration, in the current folder." },
  { left: "/etc/penknife/penknife.yaml", text: "The configuration where the current folder has none." },
  { left: "pipelines/NAME.yaml", text: "Beside the configuration: a pipeline that is called like a tool." },
  { left: "penknife.checks.yaml", text: "The checks of a repository." },
  { left: "penknife-data", text: "The store of a server, unless storage.path names another folder." },
];

const statuses: Row[] = [
  { left: "0", text: "Success." },
  { left: "1", text: "Findings, or a document that the tool cannot read." },
  { left: "2", text: "A usage error, or a file that cannot be read." },
  { left: "3", text: "The service, its store, a tool or the machine failed." },
];
