import type { CatalogTool } from "../../catalog/catalog.ts";
import { type ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import { isObject } from "../../lib/is-object.ts";
import { membersOf } from "../../lib/json/members.ts";
import type { Params, Request } from "./protocol/message.ts";
import type { Method, Peer } from "./protocol/protocol.ts";
import { codes, ProtocolError } from "./protocol/protocol-error.ts";
import { type CallResult, toErrorResult } from "./results.ts";

/** A tool as agents see it, which may run any tool of the catalogue. */
export type AgentTool = { readonly definition: Definition } & (
  | RunningTool
  | {
      /** Answers without running anything, so it is not counted. @throws as `run` does */
      look(call: AgentCall): CallResult;
    }
);

export interface RunningTool {
  /** @throws ToolError, which becomes a result; ProtocolError. */
  run(call: AgentCall, ticket: Ticket, peer: Peer<Caller>): Promise<CallResult>;
}

/** An entry of `tools/list`. */
export interface Definition {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12. */
  inputSchema: object;
  annotations: Annotations;
}

/** Hints from which a client decides whether to ask its user. */
export interface Annotations {
  readOnlyHint: boolean;
  /** Whether equal calls have equal results. */
  idempotentHint: boolean;
  /** Whether it reaches beyond this server. */
  openWorldHint: boolean;
}

export interface AgentCall {
  arguments: Params;
  /** The arguments as JSON text. */
  bytes: Uint8Array;
  /** Reports how many steps are done, if the client asked for it. */
  progress?(done: number, total: number): void;
}

/** The caller, as the transport knows it. */
export interface Caller {
  /**
   * Counts a run, before anything of the call is validated.
   * @throws ToolError quota_exceeded, storage_unavailable
   */
  admit(): Promise<Ticket>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Records the tool of the catalogue that is run, for the log. */
  note(slug: string): void;
  /** Records why a call has no result, for the log. */
  refused(code: ErrorCode): void;
  /** The URL below which REST is served; undefined if the caller reaches this process in another way. */
  readonly baseUrl: string | undefined;
}

/** The methods of a server with these tools. */
export function toolMethods(tools: readonly AgentTool[], now: () => number): Record<string, Method<Caller>> {
  const definitions = tools.map(({ definition }) => definition);
  const known = new Map(tools.map((tool) => [tool.definition.name, tool]));

  async function call(request: Request, peer: Peer<Caller>): Promise<CallResult> {
    const { name } = request.params;
    const tool = typeof name === "string" ? known.get(name) : undefined;
    try {
      if (tool !== undefined && "look" in tool) return tool.look(toCall(request, peer));
      // An unknown tool counts too.
      const ticket = await peer.caller.admit();
      if (tool !== undefined) return await tool.run(toCall(request, peer), ticket, peer);
    } catch (error) {
      return toRefusal(error, peer, now());
    }
    throw new ProtocolError(
      codes.invalidParams,
      `There is no tool ${JSON.stringify(String(name).slice(0, 64))}. The tools are ${[...known.keys()].slice(0, 20).join(", ")}.`,
      { status: 200 },
    );
  }

  return {
    "tools/list"({ params }) {
      if (params["cursor"] === undefined) return { tools: definitions };
      throw new ProtocolError(codes.invalidParams, "The list has one page; leave cursor out.", {
        status: 200,
      });
    },
    "tools/call": call,
  };
}

/** Converts a refusal to a result. @throws the error, if it is a bug. */
export function toRefusal(
  error: unknown,
  { caller }: Peer<Caller>,
  now: number,
  tool?: CatalogTool,
): CallResult {
  if (!(error instanceof ToolError) || error.code === "internal") throw error;
  caller.refused(error.code);
  return toErrorResult(error, now, tool);
}

function toCall({ params, bytes }: Request, { send }: Peer<Caller>): AgentCall {
  const { arguments: given = {}, _meta: meta } = params;
  if (!isObject(given))
    throw new ProtocolError(codes.invalidParams, "The member arguments must be an object.", { status: 200 });
  const text = cut(bytes, "params");
  const progressToken = isObject(meta) ? meta["progressToken"] : undefined;
  return {
    arguments: given,
    bytes: (text && cut(text, "arguments")) ?? Buffer.from("{}"),
    ...((typeof progressToken === "string" || typeof progressToken === "number") && {
      progress: (progress: number, total: number) =>
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress, total },
        }),
    }),
  };
}

/**
 * Returns the text of a member of an object, as the client wrote it: its digits, the order of its keys and its escapes.
 * @throws ProtocolError if it is given twice, because JSON.parse knows only the last.
 */
export function cut(object: Uint8Array, name: string): Uint8Array | undefined {
  const [found, second] = membersOf(object, object.indexOf(0x7b)).filter(({ key }) => key === name);
  if (second !== undefined)
    throw new ProtocolError(codes.invalidParams, `The member ${name} is given twice.`, { status: 200 });
  return found && object.subarray(found.from, found.to);
}
