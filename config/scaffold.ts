import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// `make tool SLUG=json/json-foo`: a new tool that works, its test, and its line in the list. What it does is then up to
// you; test/unit/catalog/tools.test.ts says what else it must have.

/**
 * Writes the files below `root` and returns their paths there.
 * @throws Error, before anything is written, where the name is not one or is taken.
 */
export function scaffold(root: string, name: string): string[] {
  const [, category, slug] = /^([a-z][a-z\d-]*)\/([a-z][a-z\d]*(?:-[a-z\d]+)+)$/.exec(name) ?? [];
  if (category === undefined || slug === undefined || slug.length > 48) {
    throw new Error(
      `${JSON.stringify(name)} is no category/slug: lower-case words joined by hyphens, such as json/json-formatter`,
    );
  }
  const folder = join(root, "src/tools");
  const categories = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (!categories.some((entry) => entry.name === category)) {
    const known = categories.map((entry) => entry.name).join(", ");
    throw new Error(`There is no category ${category}; there are ${known}`);
  }
  const taken = categories.find((entry) => existsSync(join(folder, entry.name, `${slug}.ts`)));
  if (taken !== undefined) throw new Error(`${slug} is a tool already, in ${taken.name}`);
  const files = {
    [`src/tools/${category}/${slug}.ts`]: toTool(slug),
    [`test/unit/tools/${category}/${slug}.test.ts`]: toTest(category, slug),
  };
  const existing = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (existing !== undefined) throw new Error(`${existing} exists already`);
  const index = "src/tools/index.ts";
  const list = addLine(readFileSync(join(root, index), "utf8"), category, slug);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content, { flag: "wx" });
  }
  writeFileSync(join(root, index), list);
  return [...Object.keys(files), index];
}

/** The list with the line of the tool in its alphabetical place. */
function addLine(list: string, category: string, slug: string): string {
  const lines = list.split("\n");
  const start = lines.findIndex((line) => line === `  ${category}: {` || line === `  "${category}": {`);
  const end = lines.indexOf("  },", start);
  if (start === -1 || end === -1) throw new Error(`src/tools/index.ts has no block for ${category}`);
  const members = lines.slice(start + 1, end).map((line) => /^ {4}"([^"]+)": /.exec(line)?.[1]);
  if (members.includes(slug)) throw new Error(`src/tools/index.ts lists ${slug} already`);
  // A line without a name continues the one before it.
  const next = members.findIndex((member) => member !== undefined && member > slug);
  const at = next === -1 ? end : start + 1 + next;
  return lines.toSpliced(at, 0, `    "${slug}": () => import("./${category}/${slug}.ts"),`).join("\n");
}

const abbreviations =
  /^(?:cidr|csp|css|csv|dns|hmac|html|http|ini|ip|json|jwk|jwt|pem|qr|sql|sri|ssh|toml|tsv|ulid|uri|url|utf|uuid|xml|yaml)$/;

/** `json-formatter` is “JSON formatter”. */
function toTitle(slug: string): string {
  const title = slug
    .split("-")
    .map((word) => (abbreviations.test(word) ? word.toUpperCase() : word))
    .join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const toTool = (slug: string): string => `import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";

export default defineTool({
  slug: "${slug}",
  title: "${toTitle(slug)}",
  summary: "Say in one sentence what it does.",
  page: { tile: "Say it in a few words", view: "text" },
  input: z.object({
    data: z.string().describe("The document"),
    trim: z.boolean().default(false).describe("Leave out the white space at both ends"),
  }),
  examples: [
    { input: { data: "a b" }, result: "a b" },
    {
      title: "Without the white space around it",
      input: { data: " a b\\n", trim: true },
      result: "a b",
    },
  ],
  run: ({ data, trim }) => (trim ? data.trim() : data),
});
`;

const toTest = (category: string, slug: string): string => `import { expect, test } from "vitest";
import tool from "../../../../src/tools/${category}/${slug}.ts";
import { runTool } from "../run-tool.ts";

test.each([
  ["", "", {}],
  [" a ", " a ", {}],
  [" a ", "a", { trim: true }],
])("%j is %j with %j", async (data, result, options) => {
  expect(await runTool(tool, { data, ...options })).toBe(result);
});
`;

if (import.meta.main) {
  try {
    const written = scaffold(new URL("..", import.meta.url).pathname, process.argv[2] ?? "");
    process.stdout.write(`${written.join("\n")}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
