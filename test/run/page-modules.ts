import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

// The modules of the pages that Node cannot load itself, as config/build/web.ts bundles them: TSX for Preact, and style sheets as texts.
registerHooks({
  load(url, context, next) {
    const [, extension] = /^file:.*\.(tsx|css)$/.exec(url) ?? [];
    if (extension === undefined) return next(url, context);
    const path = fileURLToPath(url);
    const text = readFileSync(path, "utf8");
    const source = extension === "tsx" ? transform(path, text) : `export default ${JSON.stringify(text)};`;
    return { format: "module", source, shortCircuit: true };
  },
});

function transform(path: string, text: string): string {
  const jsx = { runtime: "automatic", importSource: "preact" } as const;
  const { code, errors } = transformSync(path, text, { jsx });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  return code;
}
