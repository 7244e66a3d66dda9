import { openBlocks } from "../../catalog/blocks.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { toReportText } from "../../catalog/report.ts";
import type { BlockRun } from "../../catalog/tool.ts";
import { reportDocumentError } from "./document-error.ts";
import type { Host } from "./host.ts";
import { unreadable } from "./machine-error.ts";
import type { NamedDocument } from "./read-document.ts";
import type { GivenOptions } from "./read-options.ts";
import { type RunLine, toStatus } from "./run-line.ts";
import { toOptionError } from "./tool-options.ts";
import { toTarget, writePieces } from "./write-result.ts";

/** Documents up to this many bytes are run as a whole, so that the command writes all of the result or none. */
const wholeBytes = 16 * 1024 * 1024;

/**
 * Runs a tool block by block, in constant memory, on a document that is larger than 16 MiB, and returns the exit status. Returns
 * the document if it is smaller, and undefined, without reading, if the tool needs the whole document.
 * @throws MachineError or ToolError if the document cannot be read.
 */
export async function runBlocks(
  tool: CatalogTool,
  line: RunLine,
  { pairs, documents }: GivenOptions,
  host: Host,
): Promise<number | NamedDocument | undefined> {
  const document = toSource(line, host);
  const run = document === undefined ? undefined : await open(tool, line, pairs, host);
  if (document === undefined || run === undefined) return undefined;
  const { name, subject } = document;
  const read = await document.read().catch((error: unknown) => {
    throw unreadable(subject, error);
  });
  if (read instanceof Uint8Array) return { name, bytes: read };
  let valid: boolean | undefined;

  async function* result(chunks: AsyncIterable<Uint8Array>, { write, end }: BlockRun) {
    for await (const block of chunks) yield* write(block);
    const rest = end();
    const isReport = typeof rest === "object" && !(rest instanceof Uint8Array);
    if (isReport) ({ valid } = rest);
    yield isReport ? toReportText(rest) : rest;
  }

  try {
    await writePieces(result(reading(subject, read), run), toTarget(line, tool.exact, host), host);
    return toStatus({ body: "", ...(valid !== undefined && { valid }) }, line);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return await reportDocumentError(toOptionError(tool, error), { name }, host, documents);
  }
}

interface Source {
  /** The name in messages. */
  name: string;
  /** The name in messages about reading. */
  subject: string;
  read(): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/** Undefined for a document that is not read from a file or a pipe, and for a file that is not there. */
function toSource({ text, file }: RunLine, { stdin, files }: Host): Source | undefined {
  if (text !== undefined) return undefined;
  if (file === undefined || file === "-") {
    if (stdin.isTTY) return undefined;
    return { name: "<stdin>", subject: "Standard input", read: async () => stdin.readOrStream(wholeBytes) };
  }
  if (files.stat(file)?.kind !== "file") return undefined;
  return { name: file, subject: file, read: async () => files.readOrStream(file, wholeBytes) };
}

/** Yields chunks, and names the document in the error of a read. */
async function* reading(subject: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(subject, error);
  }
}

/** Options that the tool refuses are reported by the run on the whole document, after its other faults. */
async function open(
  tool: CatalogTool,
  line: RunLine,
  options: GivenOptions["pairs"],
  { runtime }: Host,
): Promise<BlockRun | undefined> {
  const context = { now: runtime.now, random: runtime.random, maxResultBytes: Infinity };
  try {
    return await openBlocks(tool, { options, check: line.check === true }, context);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
