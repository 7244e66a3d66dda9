import type { Proposal, ProposedCheck } from "./propose-checks.ts";

export interface TextOptions {
  /** The file of known findings, if the repository has it. */
  baseline?: string | undefined;
  hasTool(slug: string): boolean;
  /** The name of the file itself, which the checks and formatters in it pass. */
  fileName: string;
}

/** Writes a proposal as the text of `penknife.checks.yaml`, in the indentation that the repository has. */
export function toProposalText({ checks, habits }: Proposal, options: TextOptions): string {
  const { indent = 2 } = habits.indentOf(options.fileName);
  const yaml = checks.find(({ tool }) => tool === "yaml-validator");
  const isSorted = (yaml?.with["lint"] as string[] | undefined)?.includes("key-order") === true;
  const write = (one: ProposedCheck): string => toEntry(withoutOwn(one, options.fileName), indent, isSorted);
  const blocks = checks.map((one) => `${comment(one.why, indent)}${write(one)}`);
  const baseline =
    options.baseline === undefined
      ? "# Findings that are known and do not fail, after penknife check --baseline FILE --write-baseline:\n# baseline: penknife.baseline.ndjson\n"
      : `baseline: ${quote(options.baseline)}\n`;
  const formatting = toFormatting({ checks, habits }, options.hasTool, indent, write);
  return `${head}\n${baseline}\nchecks:\n${[...blocks, formatting, toTail(indent)].join("\n")}`;
}

/** YAML has no tabs, and items of a list are two columns deeper whatever the indentation, so this file may not be as `.editorconfig` says. */
const withoutOwn = (one: ProposedCheck, fileName: string): ProposedCheck =>
  one.tool === "editorconfig-checker" ? { ...one, exclude: [fileName, ...one.exclude] } : one;

const head = `# The checks of this repository: penknife check runs them, penknife check --list shows which file has which.
# The options of each tool: penknife tools TOOL. The schema of this file: penknife check --schema.

# Files and folders that nothing checks, such as those that are made by programs:
# exclude: ["**/package-lock.json", third_party]
`;

/** The formatters of the files that are validated, with the same names and exclusions, as comments. */
function toFormatting(
  { checks, habits }: Proposal,
  hasTool: (slug: string) => boolean,
  indent: number,
  write: (one: ProposedCheck) => string,
): string {
  const margin = " ".repeat(indent);
  if (habits.prettier !== undefined)
    return `${margin}# Prettier formats this repository (${habits.prettier.replaceAll(/[^\x20-\x7E]/g, "?")}), so no formatter is proposed.\n`;
  const formatters = checks.flatMap((one): ProposedCheck[] => {
    const { formatter, selected } = one;
    if (formatter === undefined || !hasTool(formatter) || selected.length === 0) return [];
    return [{ ...one, tool: formatter, with: toLayout(formatter, selected, habits), rules: {} }];
  });
  if (formatters.length === 0) return "";
  const text = formatters
    .map(write)
    .join("")
    .replaceAll(new RegExp(`^${margin}`, "gm"), `${margin}# `);
  return `${comment("Formatting: penknife check --fix rewrites the files. Remove the # of what you want.", indent)}${text}`;
}

/** The indentation that `.editorconfig` demands of all files of the kind. */
function toLayout(
  formatter: string,
  selected: readonly string[],
  { indentOf }: Proposal["habits"],
): Record<string, unknown> {
  const [first, ...others] = selected.map((path) => JSON.stringify(indentOf(path)));
  if (first === undefined || others.some((one) => one !== first)) return {};
  const { indent, useTabs } = JSON.parse(first) as ReturnType<typeof indentOf>;
  // YAML has no tabs.
  const takesTabs = formatter === "json-formatter";
  return {
    ...(indent !== undefined &&
      takesIndent.has(formatter) &&
      !(useTabs === true && !takesTabs) && { indent }),
    ...(useTabs === true && takesTabs && { useTabs }),
  };
}

const takesIndent = new Set(["json-formatter", "yaml-formatter", "xml-formatter", "toml-formatter"]);

const comment = (text: string, indent: number): string => `${" ".repeat(indent)}# ${text}\n`;

/** An entry of the list, its keys sorted if yamllint demands that of the repository. */
function toEntry(check: ProposedCheck, indent: number, isSorted: boolean): string {
  const { exclude, rules } = check;
  const members: [string, string][] = [
    ["tool", ` ${check.tool}`],
    ["files", toList(check.files, indent)],
    ...(exclude.length > 0 ? [["exclude", toList(exclude, indent)] as [string, string]] : []),
    ...toMap("with", check.with, isSorted),
    ...toMap("rules", rules, isSorted),
  ];
  const sorted = isSorted ? members.toSorted(([a], [b]) => (a < b ? -1 : 1)) : members;
  const margin = " ".repeat(indent);
  return sorted
    .map(([key, value], index) => `${margin}${index === 0 ? "-" : " "} ${key}:${value}\n`)
    .join("");
}

function toList(patterns: readonly string[], indent: number): string {
  const texts = patterns.map(quote);
  if (texts.length === 1) return ` ${texts[0]}`;
  return texts.map((text) => `\n${" ".repeat(indent * 2 + 2)}- ${text}`).join("");
}

function toMap(
  key: string,
  values: Readonly<Record<string, unknown>>,
  isSorted: boolean,
): [string, string][] {
  const names = Object.keys(values);
  const members = (isSorted ? names.toSorted() : names).map((name) => `${name}: ${toValue(values[name])}`);
  return members.length === 0 ? [] : [[key, ` { ${members.join(", ")} }`]];
}

function toValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toValue).join(", ")}]`;
  // A word that YAML reads as itself stays without quotes; on and off are booleans for YAML 1.1.
  return typeof value === "string" && !/^[a-z][a-z-]{3,}$/.test(value) ? quote(value) : String(value);
}

const quote = (text: string): string => JSON.stringify(text);

function toTail(indent: number): string {
  const lines = [
    "# White space that is no content: the two spaces that break a line of Markdown stay, and so do no-break spaces.",
    "# - tool: whitespace-normalizer",
    '#   files: ["**/*.md", "**/*.sh"]',
    "#   with: { plainSpaces: false }",
    "",
    "# A second document is a file, relative to this one.",
    "# - tool: json-schema-validator",
    '#   files: "config/*.json"',
    "#   with: { schemaFile: schemas/config.json }",
    "#   required: true",
    "",
    "# Rules of your own, in CEL: see docs/from.md of penknife.",
    "# - tool: policy-checker",
    '#   files: "k8s/**/*.yaml"',
    "#   with: { policyFile: policies/k8s.yaml }",
  ];
  return lines.map((line) => (line === "" ? "\n" : `${" ".repeat(indent)}${line}\n`)).join("");
}
