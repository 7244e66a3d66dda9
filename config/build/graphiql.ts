import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserFiles, modulesOf, reuse, squeezeAll } from "./browser.ts";
import { bundleGuarded } from "./guards.ts";

const root = new URL("../../", import.meta.url).pathname;
const sources = new URL("graphiql/", import.meta.url).pathname;

/** Bundles GraphiQL to `graphiql/app.js.br` and `graphiql/app.css.br`. */
export const buildGraphiql = (cache: string): Promise<BrowserFiles> =>
  reuse(cache, "graphiql", [import.meta.filename, sources], make);

async function make(): Promise<BrowserFiles> {
  const [chunk, ...others] = await bundleGuarded(
    {
      input: { app: join(sources, "app.js") },
      platform: "browser",
      cwd: root,
      tsconfig: false,
      // A busy machine is no fault of a plugin.
      checks: { pluginTimings: false },
      transform: { define: { "process.env.NODE_ENV": '"production"' }, target: "es2022" },
      onLog: (level, log) => {
        // The parts that GraphiQL would load one by one are in the one script; "use no memo" speaks to React's compiler.
        if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT" || log.code === "MODULE_LEVEL_DIRECTIVE") return;
        if (level === "warn") throw new Error(log.message);
      },
    },
    { format: "iife", codeSplitting: false, comments: { legal: false }, minify: true },
  );
  if (others.length > 0) throw new Error(`GraphiQL: one script was expected, not ${others.length + 1}`);
  const css = new URL(import.meta.resolve("graphiql/graphiql.css")).pathname;
  const own = readFileSync(join(sources, "app.css"), "utf8");
  return {
    assets: await squeezeAll([
      ["graphiql/app.js", chunk.code],
      ["graphiql/app.css", `${withoutFonts(readFileSync(css, "utf8"))}\n${own}`],
    ]),
    files: [...modulesOf(chunk), css].toSorted(),
  };
}

/** Nine tenths of the sheet are two fonts; the browser's own are as good. */
function withoutFonts(css: string): string {
  const without = css.replaceAll(/@font-face\s*\{[^}]*\}/g, "");
  const loaded = /(?:url\(["']?(?!data:image\/)|@import)[^)]{0,80}/.exec(without)?.[0];
  if (loaded !== undefined) throw new Error(`GraphiQL's style sheet loads ${loaded}`);
  return without;
}
