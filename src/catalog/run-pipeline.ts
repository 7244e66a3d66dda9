import type { Catalog, CatalogTool } from "./catalog.ts";
import { ToolError } from "./errors.ts";
import type { Answer, AnswerForm, Body, Call, ToolCall } from "./execute.ts";
import { fromStrings, invalidField, parseInput } from "./input.ts";
import { validateSteps, type Step, takesDocument } from "./pipeline.ts";
import { readEnvelope } from "./pipeline-envelope.ts";
import type { Ticket } from "./principal.ts";
import { toStepError } from "./step-error.ts";

/** The document of a step: text, or bytes that must be UTF-8 only if the tool needs text. Undefined for no document. */
export type StepDocument = string | Uint8Array | undefined;

export interface PipelineCall {
  source: PipelineSource;
  form: AnswerForm;
  /** Check mode: the result is the report of the last step. */
  check: boolean;
  /** Called with each document before its step, which may take over the bytes, reads it. */
  watch?(document: StepDocument, index: number): void;
}

export type PipelineSource =
  /** The envelope `{"data": …, "steps": […]}`. */
  | { kind: "json"; bytes: Uint8Array }
  /** Steps, and the document for the first of them. */
  | { kind: "steps"; steps: readonly Step[]; document: StepDocument };

/** The functions of the runner that a pipeline calls. */
export interface PipelineDeps {
  catalog: Catalog;
  /** Largest envelope that is parsed on the event loop, in bytes. */
  maxInlineBytes: number;
  maxDocumentBytes: number;
  run(call: ToolCall, ticket: Ticket, signal: AbortSignal | undefined): Promise<Answer>;
  /** Runs a call away from the event loop. */
  isolate(call: Call): Promise<Answer>;
  /** Counts the steps that are not counted yet, and returns a ticket for each step. @throws ToolError quota_exceeded */
  admitSteps(count: number): Promise<readonly Ticket[]>;
}

/** Runs the steps of the caller. */
export async function runPipeline(
  { source, ...asked }: PipelineCall,
  deps: PipelineDeps,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { catalog } = deps;
  if (source.kind === "steps") {
    const { steps } = source;
    const tools = await validateSteps(steps, catalog.get);
    const document = requireDocument(tools[0] as CatalogTool, source.document);
    return runSteps({ ...asked, steps, tools, document }, deps, signal);
  }
  const { data, steps } = await openEnvelope(source.bytes, false, deps);
  const tools = await validateSteps(steps, catalog.get);
  const document = requireDocument(tools[0] as CatalogTool, data);
  return runSteps({ ...asked, steps, tools, document }, deps, signal);
}

/** Runs a named pipeline, whose steps were validated when it was loaded. */
export async function runNamed(
  pipeline: CatalogTool & { steps: readonly Step[] },
  { body, form, check }: ToolCall,
  deps: PipelineDeps,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { steps } = pipeline;
  const tools = await Promise.all(steps.map(({ tool }) => deps.catalog.get(tool)));
  const { document, text } = await openNamed(pipeline, body, deps);
  return runSteps({ steps, tools, document, text, form, check }, deps, signal);
}

interface Plan extends Omit<PipelineCall, "source"> {
  steps: readonly Step[];
  tools: readonly CatalogTool[];
  document: StepDocument;
  /** Whether the first document must be UTF-8; if false, its tool decides, as for the others. */
  text?: boolean;
}

async function runSteps(plan: Plan, deps: PipelineDeps, signal: AbortSignal | undefined): Promise<Answer> {
  const { steps, tools, check, form } = plan;
  const lastTool = tools.at(-1);
  if (check && lastTool?.check === undefined) {
    throw invalidField(
      "check",
      `The last step, ${lastTool?.slug}, has no check mode, because it neither validates nor formats a document.`,
    );
  }
  const tickets = await deps.admitSteps(steps.length);
  let { document } = plan;
  for (const [index, step] of steps.entries()) {
    // Between steps on this thread, other calls get a turn and a disconnected caller is noticed.
    if (index > 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    plan.watch?.(document, index);
    const last = index === steps.length - 1;
    const tool = tools[index] as CatalogTool;
    const text = (index === 0 && plan.text === true) || tool.runBytes === undefined;
    const call: ToolCall = {
      tool,
      body: toBody(step, document, text),
      form: last ? form : "bytes",
      check: last && check,
    };
    try {
      const answer = await deps.run(call, tickets[index] as Ticket, signal);
      if (last) return answer;
      document = bounded(answer.body, deps.maxDocumentBytes);
    } catch (error) {
      throw error instanceof ToolError ? toStepError(error, index, step) : error;
    }
  }
  throw new Error("A pipeline has at least one step");
}

function toBody(step: Step, document: StepDocument, text: boolean): Body {
  if (document === undefined) return { kind: "input", input: { ...step.with } };
  if (typeof document === "string") return { kind: "input", input: { ...step.with, data: document } };
  return { kind: "raw", bytes: document, text, options: step.with };
}

/** Several encoders could grow a small document to gigabytes: a step gets no more than a call could have sent. */
function bounded(result: string | Uint8Array, limit: number): string | Uint8Array {
  const size =
    typeof result === "string" && result.length <= limit ? Buffer.byteLength(result) : result.length;
  if (size <= limit) return result;
  const message = `The result has ${size} bytes; the next step takes at most ${limit}.`;
  throw new ToolError("invalid_document", message, { limit });
}

/** Reads an envelope, in a worker if it is large. The envelope of a named pipeline has no steps. */
async function openEnvelope(
  bytes: Uint8Array,
  named: boolean,
  { catalog, maxInlineBytes, isolate }: PipelineDeps,
): Promise<{ data: StepDocument; steps: readonly Step[] }> {
  if (bytes.length <= maxInlineBytes) return readEnvelope(bytes, named ? undefined : catalog.get);
  const body: Body = { kind: "pipeline", bytes, named };
  const { body: data, envelope } = await isolate({ slug: "", body, form: "bytes", check: false });
  if (envelope === undefined) throw new Error("A worker read an envelope and returned none");
  return { data: envelope.given ? data : undefined, steps: envelope.steps };
}

async function openNamed(
  pipeline: CatalogTool,
  body: Body,
  deps: PipelineDeps,
): Promise<{ document: StepDocument; text: boolean }> {
  switch (body.kind) {
    case "raw": {
      const options = Array.isArray(body.options) ? fromStrings(pipeline, body.options) : body.options;
      if ("data" in options) throw invalidField("data", "The body is the data; leave data out of the query.");
      const document = requireDocument(
        pipeline,
        body.bytes.length === 0 && !takesDocument(pipeline) ? undefined : body.bytes,
      );
      return { document, text: body.text };
    }
    case "input": {
      const { data } = parseInput(pipeline, body.input);
      return { document: data as string | undefined, text: true };
    }
    case "json": {
      const { data } = await openEnvelope(body.bytes, true, deps);
      return { document: requireDocument(pipeline, data), text: true };
    }
    case "pipeline":
      throw new Error("A named pipeline is not called with steps");
  }
}

/** Requires a document if the first tool takes one, and refuses it otherwise. */
function requireDocument(first: CatalogTool, data: StepDocument): StepDocument {
  const wanted = takesDocument(first);
  if (wanted && data === undefined) throw invalidField("data", "Is required.");
  if (!wanted && data !== undefined)
    throw invalidField("data", `${first.slug} takes no document; leave data out.`);
  return data;
}
