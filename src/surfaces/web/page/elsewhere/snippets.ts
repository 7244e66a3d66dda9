import { quote, toFlag } from "../../../../lib/shell-words.ts";
import type { Definition } from "../tools/definition.ts";
import { kindOf, takesDocument, toLabel } from "../tools/fields.ts";

/** A way to make the same call outside of the page. It works as it stands, where the document is in the file `data.txt`. */
export interface Snippet {
  title: string;
  text: string;
}

export interface Asked {
  definition: Definition;
  /** The options that differ from their defaults. */
  options: Readonly<Record<string, unknown>>;
  check: boolean;
  /** Absolute URL of the server, without a slash at its end. */
  url: string;
}

const file = "data.txt";
export const newLine = " \\\n  ";

/** Returns the call for a terminal, a CI job and GraphQL. Secrets are variables: what is pasted is kept in histories. */
export function toSnippets(asked: Asked): readonly (Snippet & { id: string })[] {
  return [
    { id: "curl", title: "curl", text: toCurl(asked) },
    { id: "command", title: "Command line", text: toCommand(asked) },
    { id: "actions", title: "GitHub Actions", text: toStep(asked) },
    { id: "graphql", title: "GraphQL", text: toGraphql(asked) },
    { id: "agent", title: "Agent (MCP)", text: toAgentCall(asked) },
  ];
}

function toCurl(asked: Asked): string {
  const { definition, options, check, url } = asked;
  const { slug } = definition;
  const isPlain = takesDocument(definition) && !hasSecrets(asked);
  const address = new URL(`${url}/api/tools/${slug}`);
  if (check) address.searchParams.set("check", "true");
  if (isPlain)
    for (const [name, value] of Object.entries(options))
      for (const one of Array.isArray(value) ? value : [value])
        address.searchParams.append(name, toText(one));
  const words = [
    `curl ${check ? "--fail-with-body " : ""}${quote(address.href)}`,
    `-H 'Content-Type: ${isPlain ? "text/plain" : "application/json"}' -H 'Accept: text/plain'`,
    ...keyOf(definition),
  ];
  if (isPlain) return [...words, `--data-binary @${file}`].join(newLine);
  return `${toJq(asked, toInput(asked))} | ${[...words, "-d @-"].join(newLine)}`;
}

function toCommand({ definition, options, check }: Asked): string {
  const { slug } = definition;
  const words = [`penknife ${check ? "check" : "run"} ${slug}`];
  for (const [name, value] of Object.entries(options)) {
    const flag = toFlag(name);
    if (isSecret(definition, name))
      words.push(
        fileSecret.test(name)
          ? `--${flag}-file <(printf %s "$${toVariable(name)}")`
          : `--${flag} "$${toVariable(name)}"`,
      );
    else if (typeof value === "boolean") words.push(value ? `--${flag}` : `--no-${flag}`);
    else
      for (const one of Array.isArray(value) ? value : [value]) words.push(`--${flag}=${quote(toText(one))}`);
  }
  return [...words, ...(takesDocument(definition) ? [file] : [])].join(" ");
}

function toStep(asked: Asked): string {
  const { definition } = asked;
  const secrets = Object.keys(asked.options).filter((name) => isSecret(definition, name));
  const lines = [
    `- name: ${JSON.stringify(definition.title)}`,
    "  shell: bash",
    ...(secrets.length === 0 ? [] : ["  env:"]),
    ...secrets.map((name) => `    ${toVariable(name)}: \${{ secrets.${toVariable(name)} }}`),
    "  run: |",
    ...toCommand(asked)
      .split("\n")
      .map((line) => `    ${line}`),
  ];
  return lines.join("\n");
}

function toGraphql(asked: Asked): string {
  const { definition, check, url } = asked;
  const { slug, input } = definition;
  const name = slug.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const isRequired = (input.required ?? []).length > 0;
  const withCheck = check ? ", check: true" : "";
  const query = `query Run($input: ${type}${isRequired ? "!" : ""}) { run { ${name}(input: $input${withCheck}) { result } } }`;
  const body = `{"query": ${JSON.stringify(query)}, "variables": {"input": ${toInput(asked, true)}}}`;
  const words = [
    `curl ${quote(`${url}/graphql`)}`,
    "-H 'Content-Type: application/json'",
    ...keyOf(definition),
    "-d @-",
  ];
  return `${toJq(asked, body)} | ${words.join(newLine)}`;
}

/** A call of the Model Context Protocol, as an agent that is connected to this server makes it. */
function toAgentCall(asked: Asked): string {
  const { definition, url } = asked;
  const params = `{"name": "run_tool", "arguments": {"slug": ${JSON.stringify(definition.slug)}, "input": ${toInput(asked)}}}`;
  const words = [
    `curl ${quote(`${url}/mcp`)}`,
    "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'",
    ...keyOf(definition),
    "-d @-",
  ];
  return `${toJq(asked, `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params}}`)} | ${words.join(newLine)}`;
}

/** The fields as an expression of jq. @param isGraphql Whether the values of choices are names. */
function toInput({ definition, options }: Asked, isGraphql = false): string {
  const members = Object.entries(options).map(([name, value]) => {
    if (isSecret(definition, name)) return `${JSON.stringify(name)}: env.${toVariable(name)}`;
    const { enum: values, items } = definition.input.properties[name] ?? {};
    const isChoice = isGraphql && (values ?? items?.enum) !== undefined;
    const given =
      isGraphql && typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : value;
    return `${JSON.stringify(name)}: ${JSON.stringify(isChoice ? toNames(given) : given)}`;
  });
  if (takesDocument(definition)) members.unshift('"data": $data');
  return `{${members.join(", ")}}`;
}

const toNames = (value: unknown): unknown => (Array.isArray(value) ? value.map(toName) : toName(value));

/** Name of a choice in GraphQL: SHA_256 for "sha-256". */
function toName(value: unknown): string {
  const name = String(value).replaceAll(/\W/g, "_").toUpperCase();
  return /^(?:\d|$)/.test(name) ? `_${name}` : name.replace(/^__+/, "_");
}

function toJq(asked: Asked, expression: string): string {
  const document = takesDocument(asked.definition) ? `--rawfile data ${file} ` : "";
  return `jq -n ${document}${quote(expression)}`;
}

/** Secrets that the command line reads from a file, because every user of a machine can read command lines. */
const fileSecret = /^(?:key|secret)$/;

export const isSecret = ({ input }: Definition, name: string): boolean =>
  kindOf(name, input.properties[name] ?? {}) === "secret";

const hasSecrets = ({ definition, options }: Asked): boolean =>
  Object.keys(options).some((name) => isSecret(definition, name));

export const keyOf = ({ anonymous }: Definition): string[] =>
  anonymous ? [] : ['-H "Authorization: Bearer $PENKNIFE_KEY"'];

/** `hmacKey` is HMAC_KEY. */
export const toVariable = (name: string): string => toLabel(name).toUpperCase().replaceAll(" ", "_");

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
