import { createCatalog } from "../../src/catalog/catalog.ts";
import { tools } from "../../src/tools/index.ts";
import { measureReference } from "./measure.ts";
import { search } from "./search.ts";
const [, , seedText = "1", budgetText = "1500", ...slugs] = process.argv;
const catalog = createCatalog(tools);
const all = (await catalog.all()).filter((t) => !t.isolate && (slugs.length === 0 || slugs.includes(t.slug)));
const formatter = await catalog.get("json-formatter");
await measureReference(formatter);
process.stdout.write(`reference ${await measureReference(formatter)}\n`);
for (const tool of all) {
  try {
    const f = await search({ tool, seed: Number(seedText), budget: Number(budgetText) });
    const shown = f.ms > 8 ? JSON.stringify(f.candidate) : "";
    process.stdout.write(`${tool.slug.padEnd(30)} ${f.ms.toFixed(1).padStart(8)} ${f.outcome} ${shown}\n`);
  } catch (e) {
    process.stdout.write(`${tool.slug} BUG ${String(e)}\n`);
  }
}
