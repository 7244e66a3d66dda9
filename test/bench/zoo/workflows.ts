import { readFileSync } from "node:fs";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

// Parses workflows with GitHub's own parser: `node workflows.mjs FILE…`, once a bundler has made it, since Node does not read the
// parser's imports of JSON.

let invalid = 0;
for (const name of process.argv.slice(2)) {
  const { context } = parseWorkflow(
    { name, content: readFileSync(name, "utf8") },
    new NoOperationTraceWriter(),
  );
  if (context.errors.getErrors().length > 0) invalid += 1;
}
process.exitCode = invalid > 0 ? 1 : 0;
