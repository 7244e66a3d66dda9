import type { CatalogTool } from "../../../catalog/catalog.ts";
import { ToolError } from "../../../catalog/errors.ts";
import type { Answer, Body } from "../../../catalog/execute.ts";
import { invalidField } from "../../../catalog/input.ts";
import { takeJsonValues } from "../../../catalog/json-values.ts";
import { readEnvelope } from "../../../catalog/pipeline-envelope.ts";
import type { PipelineSource } from "../../../catalog/run-pipeline.ts";
import { maxText, maxBytesOf } from "../../../catalog/tool.ts";
import { isObject } from "../../../lib/is-object.ts";
import { mustBe } from "../../../lib/must.ts";
import { findBySlug, requireKnown, type RunDeps, runPipeline, runTool, toInput } from "../compact-tools.ts";
import type { Params } from "../protocol/message.ts";
import { type CallResult, toCallResult, toPlainResult } from "../results.ts";
import { type AgentTool, cut, type Definition, toRefusal } from "../tool.ts";
import type { Folder } from "./folder.ts";

/** The dependencies of calls of tools on files. */
export interface FileDeps extends RunDeps {
  folder: Folder;
  /** Whether results may be written to files. */
  allowWrite: boolean;
}

/**
 * `run_tool`, also for a document in a file and a result into a file: neither enters the context of a model, however large.
 */
export function runToolOnFiles(deps: FileDeps, tools: readonly CatalogTool[]): AgentTool {
  const base = runTool(deps, tools);
  const own = ["slug", "input"];
  return {
    definition: addArguments(base.definition, deps),
    async run(call, ticket, peer) {
      const { arguments: given, bytes } = call;
      requireKnown(given, [...own, ...namesFor(deps)]);
      const files = readArguments(given);
      if (files.in === undefined && files.out === undefined) return base.run(call, ticket, peer);
      const { slug, input = {} } = given;
      if (typeof slug !== "string") throw invalidField("slug", mustBe("the slug of a tool", slug));
      const tool = await findBySlug(deps.catalog, slug);
      const body: Body =
        files.in === undefined
          ? { kind: "json", bytes: toInput(input, bytes) }
          : await toRawBody(tool, files.in, toInput(input, bytes), deps.folder);
      const form = files.out === undefined ? "report" : "bytes";
      let answer: Answer;
      try {
        answer = await deps.runner.run({ tool, body, form, check: false }, ticket, peer.caller.signal);
      } catch (error) {
        return toRefusal(error, peer, deps.runtime.now(), tool);
      }
      return deliver(answer, files, deps);
    },
  };
}

/** `run_pipeline`, also for a document in a file and a result into a file. */
export function runPipelineOnFiles(deps: FileDeps): AgentTool {
  const base = runPipeline(deps);
  return {
    definition: addArguments(base.definition, deps),
    async run(call, ticket, peer) {
      const { arguments: given, bytes } = call;
      requireKnown(given, ["data", "steps", ...namesFor(deps)]);
      const files = readArguments(given);
      if (files.in === undefined && files.out === undefined) return base.run(call, ticket, peer);
      const answer = await deps.runner.runPipeline(
        {
          source: await toSource(given, bytes, files.in, deps),
          form: files.out === undefined ? "report" : "bytes",
          check: false,
        },
        ticket,
        peer.caller.signal,
      );
      return deliver(answer, files, deps);
    },
  };
}

/** Arguments beside those of the tool that runs. */
interface FileArguments {
  /** The file with the document. */
  in: string | undefined;
  /** The file for the result. */
  out: string | undefined;
  overwrite: boolean;
}

const namesFor = ({ allowWrite }: FileDeps): readonly string[] =>
  allowWrite ? ["file", "out_file", "overwrite"] : ["file"];

function addArguments(definition: Definition, { allowWrite }: FileDeps): Definition {
  const schema = definition.inputSchema as { properties: object };
  const properties = {
    ...schema.properties,
    file: { type: "string", description: "File with the document, in place of data" },
    ...(allowWrite && {
      out_file: { type: "string", description: "File for the result" },
      overwrite: { type: "boolean" },
    }),
  };
  return {
    ...definition,
    inputSchema: { ...schema, properties },
    annotations: { ...definition.annotations, readOnlyHint: !allowWrite },
  };
}

/** @throws ToolError invalid_input */
function readArguments({ file, out_file: out, overwrite = false }: Params): FileArguments {
  for (const [name, value] of Object.entries({ file, out_file: out }))
    if (value !== undefined && typeof value !== "string")
      throw invalidField(name, mustBe("the name of a file", value));
  if (typeof overwrite !== "boolean") throw invalidField("overwrite", mustBe("true or false", overwrite));
  return { in: file as string | undefined, out: out as string | undefined, overwrite };
}

/** The document of a file, with the other fields of the tool. */
async function toRawBody(tool: CatalogTool, file: string, input: Uint8Array, folder: Folder): Promise<Body> {
  const given: unknown = parseInputText(input);
  if (!isObject(given)) throw invalidField("input", mustBe("an object with the fields of the tool", given));
  if (given["data"] !== undefined) throw bothGiven;
  const options = (takeJsonValues(tool, given, input)?.input as Params | undefined) ?? given;
  const bytes = await folder.read(file, maxBytesOf(tool), "file");
  return { kind: "raw", bytes, text: tool.runBytes === undefined, options };
}

/** A model may have sent the object as its text. @throws ToolError */
function parseInputText(input: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(input).toString());
  } catch {
    throw invalidField("input", "Must be an object with the fields of the tool.");
  }
}

async function toSource(
  given: Params,
  bytes: Uint8Array,
  file: string | undefined,
  { catalog, folder }: FileDeps,
): Promise<PipelineSource> {
  const steps = cut(bytes, "steps");
  const envelope = Buffer.concat([Buffer.from('{"steps":'), steps ?? Buffer.from("null"), Buffer.from("}")]);
  const find = async (slug: string): Promise<CatalogTool> => findBySlug(catalog, slug);
  const read = await readEnvelope(envelope, find);
  if (file === undefined) {
    const { data } = given;
    if (data !== undefined && typeof data !== "string") throw invalidField("data", mustBe("a string", data));
    return { kind: "steps", steps: read.steps, document: data };
  }
  if (given["data"] !== undefined) throw bothGiven;
  return { kind: "steps", steps: read.steps, document: await folder.read(file, maxText, "file") };
}

const bothGiven = new ToolError("invalid_input", "Give the document as data or as file, not both.");

/** Writes the result to its file, or returns it. */
async function deliver(answer: Answer, files: FileArguments, deps: FileDeps): Promise<CallResult> {
  const { body } = answer;
  if (files.out === undefined) return toCallResult(answer, () => toWholeFor(deps));
  await deps.folder.write(files.out, body, files.overwrite, "out_file");
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const verdict = answer.valid === undefined ? "" : `, a report that says valid: ${answer.valid}`;
  return toPlainResult(`Wrote ${size} bytes to ${JSON.stringify(files.out)}${verdict}.`);
}

const toWholeFor = ({ allowWrite }: FileDeps): string =>
  allowWrite
    ? "Set out_file to get it into a file."
    : "This server writes no files; its user can start it with --allow-write.";
