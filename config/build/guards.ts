import { relative } from "node:path";
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { Visitor } from "rolldown/utils";

/**
 * Bundles like rolldown, without removing what throws. A call in a `try` may be there for its exception alone: a guard. The
 * bundler and its minifier consider some calls free of effects and would remove them, and the `try` with them.
 * @throws Error that names each guard which was removed nevertheless
 */
export async function bundleGuarded(
  input: InputOptions,
  output: OutputOptions,
): Promise<[OutputChunk, ...OutputChunk[]]> {
  const { transform, plugins } = input;
  const kept = { ...input, transform: { ...transform, define: { ...throwing, ...transform?.define } } };
  const chunks = await generate(kept, output);
  const marks = createMarks();
  // Marks change what the minifier joins, so that they are in a bundle of their own.
  const marked = await generate({ ...kept, plugins: [marks.plugin, plugins] }, output);
  const removed = marks.findRemoved(marked.map(({ code }) => code));
  if (removed.length > 0) {
    throw new Error(
      `the bundler removed code that can throw from a try block: ${removed.join("; ")}. ` +
        "Use the result of the call, or add the function to the list in config/build/guards.ts.",
    );
  }
  return chunks;
}

/**
 * Functions that throw on some strings, and that rolldown 1.3 calls free of effects whatever its `treeshake` options are.
 * It knows them by their global names only.
 */
export const throwing: Readonly<Record<string, string>> = Object.fromEntries(
  ["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "String.fromCodePoint"].map(
    (name) => [name, `globalThis.${name}`],
  ),
);

async function generate(
  input: InputOptions,
  options: OutputOptions,
): Promise<[OutputChunk, ...OutputChunk[]]> {
  const build = await rolldown(input);
  try {
    const { output } = await build.generate(options);
    const [first, ...others] = output.map((chunk) => {
      if (chunk.type !== "chunk") throw new Error(`${chunk.fileName} is no script`);
      return chunk;
    });
    if (first === undefined) throw new Error("the bundler made no script");
    return [first, ...others];
  } finally {
    await build.close();
  }
}

interface Span {
  start: number;
  end: number;
}

interface Marks {
  plugin: Plugin;
  /** Returns the places in the sources where nothing is left between the two marks. */
  findRemoved: (scripts: readonly string[]) => string[];
}

/**
 * Surrounds what stands in a `try` block, and each of its statements that is an expression, with two calls of an unknown
 * function. The bundler keeps those.
 */
function createMarks(): Marks {
  const places: string[] = [];
  const mark = (code: string, id: string): string => {
    const inserted: [at: number, text: string][] = [];
    const surround = (start: number, end: number, within: readonly Span[] = []): void => {
      const name = `penknifeMark${places.length}`;
      places.push(`${relative(root, id)}:${code.slice(0, start).split("\n").length}`);
      inserted.push([start, `${name}a();`]);
      for (const span of within) surround(span.start, span.end);
      inserted.push([end, `;${name}b();`]);
    };
    const visitor = new Visitor({
      TryStatement: ({ block: { body, start, end } }) => {
        const expressions = body.filter(({ type }) => type === "ExpressionStatement");
        if (body.length > 0) surround(start + 1, end - 1, expressions);
      },
    });
    visitor.visit(parseAst(code, { lang: langOf(id), sourceType: "unambiguous" }));
    return insertAll(code, inserted);
  };
  return {
    plugin: {
      name: "mark-guards",
      transform: { filter: { code: /\btry\b/ }, handler: (code, id) => mark(code, id) },
    },
    findRemoved: (scripts) =>
      scripts.flatMap((code) =>
        Array.from(
          code.matchAll(/penknifeMark(\d+)a\(\)[\s,;]*penknifeMark\1b\(\)/g),
          ([, index]) => places[Number(index)] ?? "",
        ),
      ),
  };
}

const root = new URL("../../", import.meta.url).pathname;

const langOf = (id: string): "js" | "jsx" | "ts" | "tsx" =>
  (["tsx", "ts", "jsx"] as const).find((lang) => id.endsWith(`.${lang}`)) ?? "js";

/** Inserts texts at offsets; those at the same offset stay in their order. */
function insertAll(code: string, inserted: readonly [at: number, text: string][]): string {
  let text = "";
  let from = 0;
  for (const [at, addition] of inserted.toSorted((a, b) => a[0] - b[0])) {
    text += code.slice(from, at) + addition;
    from = at;
  }
  return text + code.slice(from);
}
