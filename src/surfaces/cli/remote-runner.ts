import type { IncomingMessage } from "node:http";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import type { Answer, Body, ToolCall } from "../../catalog/execute.ts";
import type { Ticket } from "../../catalog/principal.ts";
import type { Report } from "../../catalog/report.ts";
import type { PipelineCall } from "../../catalog/run-pipeline.ts";
import type { AgentOptions } from "./host.ts";
import type { Remote } from "./inbox/remote.ts";
import { RemoteError } from "./remote-error.ts";

/** Runs tools on a server over REST, which counts each run. */
export function createRemoteRunner(remote: Remote): AgentOptions["runner"] {
  async function post(
    path: string,
    { type, bytes }: Content,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    try {
      const headers = { "content-type": type, accept };
      return await remote.post(path, { headers, body: bytes, signal, isAnswer: isReport });
    } catch (error) {
      // An agent can try again, like after a refusal.
      throw error instanceof RemoteError ? new ToolError("overloaded", `${error.message}.`) : error;
    }
  }

  return {
    // The server counts.
    admit: async (principal) => ({ principal }) as Ticket,
    maxInlineBytes: () => -1,
    async run(call, _ticket, signal) {
      const { tool, check, form } = call;
      const content = toContent(call);
      const query = new URLSearchParams([...content.query, ...(check ? [["check", "true"]] : [])]).toString();
      const path = `/api/tools/${tool.slug}${query === "" ? "" : `?${query}`}`;
      const accept = tool.runBytes === undefined || check ? "text/plain" : "application/octet-stream";
      const body = await post(path, content, accept, signal);
      return toAnswer(body, form, check || tool.check === "report");
    },
    async runPipeline({ source, form }, _ticket, signal) {
      const bytes = source.kind === "json" ? source.bytes : toEnvelope(source);
      const content = { type: "application/json", bytes };
      return toAnswer(await post("/api/pipelines/run", content, "text/plain", signal), form, true);
    },
  };
}

interface Content {
  type: string;
  bytes: Uint8Array;
}

/** A report of check mode has the status of a refusal, and is no problem document. */
const isReport = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 422 && !/problem/.test(headers["content-type"] ?? "");

function toContent({ tool, body }: ToolCall): Content & { query: string[][] } {
  const type = "application/json";
  switch (body.kind) {
    case "json":
    case "pipeline":
      return { type, bytes: body.bytes, query: [] };
    case "input":
      return { type, bytes: Buffer.from(JSON.stringify(body.input)), query: [] };
    case "raw":
      return body.text
        ? toJson(body, tool)
        : { type: "application/octet-stream", bytes: body.bytes, query: pairsOf(body) };
  }
}

type RawBody = Extract<Body, { kind: "raw" }>;

/** A second document may be too long for a URL, so options go into the body. */
function toJson(body: RawBody, tool: CatalogTool): Content & { query: string[][] } {
  const { bytes, options } = body;
  if (Array.isArray(options) ? options.length === 0 : Object.keys(options).length === 0)
    return { type: "text/plain; charset=utf-8", bytes, query: [] };
  if (Array.isArray(options)) return { type: "text/plain; charset=utf-8", bytes, query: pairsOf(body) };
  const data = toText(bytes, tool);
  return { type: "application/json", bytes: Buffer.from(JSON.stringify({ data, ...options })), query: [] };
}

function toText(bytes: Uint8Array, { slug }: CatalogTool): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError("invalid_document", `The document is not UTF-8, which ${slug} requires.`);
  }
}

const pairsOf = ({ options }: RawBody): string[][] =>
  Array.isArray(options)
    ? options
    : Object.entries(options).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
      );

function toEnvelope({ steps, document }: Extract<PipelineCall["source"], { kind: "steps" }>): Uint8Array {
  const data = typeof document === "string" ? document : document && Buffer.from(document).toString();
  return Buffer.from(
    JSON.stringify({ data, steps: steps.map(({ tool, with: options }) => ({ tool, with: options })) }),
  );
}

function toAnswer(body: Buffer, form: ToolCall["form"], mayBeReport: boolean): Answer {
  const report = mayBeReport ? readReport(body) : undefined;
  return {
    body: form === "bytes" ? body : body.toString(),
    ...(report && { report, valid: report.valid }),
  };
}

function readReport(body: Buffer): Report | undefined {
  if (!body.subarray(0, 20).toString("latin1").startsWith('{\n  "valid": ')) return undefined;
  try {
    return JSON.parse(body.toString()) as Report;
  } catch {
    return undefined;
  }
}
