import { isUtf8 } from "node:buffer";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { type Command, defineGroup, defineLeaf } from "./command.ts";
import { reportDocumentError } from "./document-error.ts";
import type { Host } from "./host.ts";
import { loadSettings } from "./load-settings.ts";
import { createLocalRunner, refuseDisabled } from "./local-runner.ts";
import { readDocument } from "./read-document.ts";
import { toolCommands } from "./tool-commands.ts";
import { repeatableOptions, takesDocument, toOptionError, toOptions, toolArgs } from "./tool-options.ts";
import { usageError } from "./usage-error.ts";

export const runCommand = defineGroup({
  description: "Run one tool on a file or on standard input.",
  kind: "tool",
  commands: (host) => toolCommands(host, toCommand),
  examples: [
    "penknife run json-formatter --indent 2 < a.json",
    "penknife run json-formatter --check package.json",
    "penknife run base64-encoder --out photo.b64 photo.jpg",
  ],
});

/** One tool as a command: its options are the fields of its schema. */
function toCommand(tool: CatalogTool): Command {
  return defineLeaf({
    description: tool.summary,
    args: {
      ...(takesDocument(tool) && {
        file: {
          type: "positional",
          required: false,
          description: "The document; - or nothing is standard input",
        },
      }),
      ...toolArgs(tool),
      ...(tool.check !== undefined && {
        check: { type: "boolean", description: "Print a report instead; exit status 1 where it has errors" },
      }),
      out: { type: "string", valueHint: "FILE", description: "Write the result to FILE, if there is one" },
    },
    repeatable: repeatableOptions(tool),
    async run(args, host, raw) {
      return runTool(tool, args as Line, toOptions(tool, raw), host);
    },
  });
}

interface Line {
  file?: string;
  check?: boolean;
  out?: string;
  config?: string;
  data?: string;
}

async function runTool(
  tool: CatalogTool,
  line: Line,
  options: [string, string][],
  host: Host,
): Promise<number> {
  const settings = await loadSettings(line, host);
  refuseDisabled(tool.slug, settings);
  const document = takesDocument(tool)
    ? await readDocument(line.file, host)
    : { name: "", bytes: new Uint8Array() };
  // A worker takes the bytes over for good, and a refusal shows some of them.
  // (The slice of a Buffer would be a view of the same memory.)
  const bytes = tool.isolate ? new Uint8Array(document.bytes) : document.bytes;
  // Nothing else waits for this thread, so that only tools that must be stoppable leave it.
  const runner = await createLocalRunner(host, { settings, workers: 1, inlineBytes: Infinity });
  try {
    const answer = await runner.run({
      slug: tool.slug,
      body: { kind: "raw", bytes, text: tool.runBytes === undefined, options },
      form: "bytes",
      check: line.check === true,
    });
    await writeResult(answer.body, line.out, host);
    return answer.valid === false ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return await reportDocumentError(toOptionError(tool, error), document, host);
  } finally {
    await runner.close();
  }
}

/** The result exactly as it is; a terminal gets the line end that its prompt needs. */
async function writeResult(result: string | Uint8Array, out: string | undefined, host: Host): Promise<void> {
  const bytes = typeof result === "string" ? Buffer.from(result) : result;
  if (out !== undefined && out !== "-") return host.files.writeBytes(out, bytes);
  if (!host.stdout.isTTY) return host.stdout.write(bytes);
  if (!isUtf8(bytes)) {
    throw usageError("The result is binary, which a terminal cannot show. Use --out FILE or a pipe.");
  }
  await host.stdout.write(bytes);
  if (bytes.length > 0 && bytes.at(-1) !== 10) await host.stdout.write("\n");
}
