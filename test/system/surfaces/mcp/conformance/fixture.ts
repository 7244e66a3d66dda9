import { createHmac } from "node:crypto";
import { isObject } from "../../../../../src/lib/is-object.ts";
import type { Params, Request } from "../../../../../src/surfaces/mcp/protocol/message.ts";
import {
  createProtocol,
  type Method,
  type Peer,
  type Protocol,
} from "../../../../../src/surfaces/mcp/protocol/protocol.ts";
import { codes, ProtocolError } from "../../../../../src/surfaces/mcp/protocol/protocol-error.ts";
import type { Caller } from "../../../../../src/surfaces/mcp/tool.ts";

/**
 * The server that the conformance suite requires: it has tools, prompts and resources of its own. Ours are behind the same protocol and
 * the same transport, but have none of these, and neither ask the client for anything nor remember it.
 */
export function createFixture(): Protocol<Caller> {
  const waiting = new Map<string, (result: Params) => void>();
  const protocol = createProtocol<Caller>({
    info: { name: "fixture", title: "Fixture", version: "1" },
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    instructions: "",
    methods: {
      ...methods,
      "tools/call": callTool((peer, method, params) => ask(waiting, peer, method, params)),
    },
    caching: { ttlMs: 0, cacheScope: "private" },
  });
  return {
    async answer(message, peer) {
      // The answer of a client to a question of revision 2025-11-25; it may come over any connection.
      if (message.kind === "response")
        waiting.get(String(message.params["id"]))?.(message.params["result"] as Params);
      return protocol.answer(message, peer);
    },
  };
}

type Ask = (peer: Peer<Caller>, method: string, params: object) => Promise<Params>;
let asked = 0;

function ask(
  waiting: Map<string, (result: Params) => void>,
  peer: Peer<Caller>,
  method: string,
  params: object,
): Promise<Params> {
  const id = `question-${asked++}`;
  const { promise, resolve } = Promise.withResolvers<Params>();
  waiting.set(id, resolve);
  peer.send({ jsonrpc: "2.0", id, method, params });
  return promise.finally(() => waiting.delete(id));
}

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const text = (value: string): object => ({ content: [{ type: "text", text: value }] });
const image = { type: "image", data: png, mimeType: "image/png" };
const embedded = (uri: string, body: string, mimeType = "text/plain"): object => ({
  type: "resource",
  resource: { uri, mimeType, text: body },
});
const notification = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params });

const plainTools: Record<string, object> = {
  test_simple_text: text("This is a simple text response for testing."),
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  },
  test_multiple_content_types: {
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
  },
  test_error_handling: { ...text("This tool intentionally returns an error for testing"), isError: true },
  test_streaming_elicitation: text("It asks nothing."),
  test_logging_tool: text("It logs nothing unless it is asked to."),
};

type Tool = (request: Request, peer: Peer<Caller>, ask: Ask) => Promise<object> | object;

const elicit = (message: string, properties: object): object => ({
  message,
  requestedSchema: { type: "object", properties, required: [] },
});

const eliciting =
  (properties: object): Tool =>
  async ({ params }, peer, question) => {
    const { message = "Please answer" } = params["arguments"] as { message?: string };
    const { action, content } = await question(peer, "elicitation/create", elicit(message, properties));
    return text(`Elicitation completed: action=${String(action)}, content=${JSON.stringify(content)}`);
  };

const activeTools: Record<string, Tool> = {
  test_tool_with_logging(_, { send }) {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"])
      send(notification("notifications/message", { level: "info", data }));
    return text("Logged.");
  },
  test_tool_with_progress({ params }, { send }) {
    const { progressToken } = params["_meta"] as { progressToken?: string };
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      send(notification("notifications/progress", { progressToken, progress, total: 100 }));
    return text("Done.");
  },
  async test_sampling({ params }, peer, question) {
    const { prompt } = params["arguments"] as { prompt: string };
    const messages = [{ role: "user", content: { type: "text", text: prompt } }];
    const { content } = await question(peer, "sampling/createMessage", { messages, maxTokens: 100 });
    return text(`LLM response: ${(content as { text: string }).text}`);
  },
  test_elicitation: eliciting({ username: { type: "string" }, email: { type: "string" } }),
  test_elicitation_sep1034_defaults: eliciting({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: eliciting({
    untitledSingle: { type: "string", enum: ["option1", "option2"] },
    titledSingle: { type: "string", oneOf: [{ const: "value1", title: "First" }] },
    legacyEnum: { type: "string", enum: ["opt1"], enumNames: ["Option One"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2"] } },
    titledMulti: { type: "array", items: { anyOf: [{ const: "value1", title: "First" }] } },
  }),
  test_missing_capability({ params }) {
    const { sampling } = capabilitiesOf(params);
    if (sampling === undefined)
      throw new ProtocolError(codes.missingClientCapability, "It needs sampling.", {
        data: { requiredCapabilities: { sampling: {} } },
      });
    return text("The client can sample.");
  },
};

const capabilitiesOf = ({ _meta: meta }: Params): Params =>
  (meta as Record<string, Params>)["io.modelcontextprotocol/clientCapabilities"] ?? {};

const name = { name: { type: "string" } };
const elicitation = (message: string, properties: object = name): object => ({
  method: "elicitation/create",
  params: elicit(message, properties),
});
const sampling = {
  method: "sampling/createMessage",
  params: {
    messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
    maxTokens: 100,
  },
};
const roots = { method: "roots/list", params: {} };

/** Rounds of questions: what is asked in each, until all are answered. */
const inputs: Record<string, { rounds: Record<string, object>[]; signed?: true }> = {
  test_input_required_result_elicitation: { rounds: [{ user_name: elicitation("What is your name?") }] },
  test_input_required_result_sampling: { rounds: [{ capital_question: sampling }] },
  test_input_required_result_list_roots: { rounds: [{ client_roots: roots }] },
  test_input_required_result_request_state: {
    rounds: [{ confirm: elicitation("Please confirm", { ok: { type: "boolean" } }) }],
    signed: true,
  },
  test_input_required_result_tampered_state: {
    rounds: [{ confirm: elicitation("Please confirm", { ok: { type: "boolean" } }) }],
    signed: true,
  },
  test_input_required_result_multiple_inputs: {
    rounds: [{ user_name: elicitation("What is your name?"), greeting: sampling, client_roots: roots }],
    signed: true,
  },
  test_input_required_result_multi_round: {
    rounds: [
      { step1: elicitation("Step 1: What is your name?") },
      { step2: elicitation("Step 2: What is your favorite color?", { color: { type: "string" } }) },
    ],
    signed: true,
  },
  test_input_required_result_capabilities: {
    rounds: [{ user_name: elicitation("Who?"), capital: sampling }],
  },
};

const sign = (round: number): string =>
  `${round}.${createHmac("sha256", "fixture").update(String(round)).digest("hex")}`;

function requireInput(
  { rounds, signed }: { rounds: Record<string, object>[]; signed?: true },
  params: Params,
  complete: () => object,
): object {
  const { inputResponses, requestState } = params;
  const round = typeof requestState === "string" ? Number(requestState.split(".")[0]) : 0;
  if (requestState !== undefined && sign(round) !== requestState)
    throw new ProtocolError(codes.invalidParams, "The state was changed.");
  const questions = rounds[round] ?? {};
  const given = isObject(inputResponses) ? inputResponses : {};
  const isAnswered = Object.keys(questions).every((key) => isObject(given[key]));
  const next = isAnswered ? round + 1 : round;
  if (next >= rounds.length) return complete();
  const able = Object.entries(rounds[next] ?? {}).filter(
    ([, { method }]: [string, { method?: string }]) =>
      method !== "elicitation/create" ||
      !("sampling" in capabilitiesOf(params)) ||
      "elicitation" in capabilitiesOf(params),
  );
  return {
    resultType: "input_required",
    inputRequests: Object.fromEntries(able),
    ...(signed && { requestState: sign(next) }),
  };
}

const callTool =
  (question: Ask): Method<Caller> =>
  (request, peer) => {
    const { params } = request;
    const called = params["name"] as string;
    const active = activeTools[called];
    if (active !== undefined) return active(request, peer, question);
    const input = inputs[called];
    if (input !== undefined) return requireInput(input, params, () => text("state-ok"));
    const plain = plainTools[called];
    if (plain !== undefined) return plain;
    throw new ProtocolError(codes.invalidParams, "There is no such tool.", { status: 200 });
  };

const message = (content: object): object => ({ role: "user", content });
const say = (value: string): object => message({ type: "text", text: value });

const prompts: Record<string, (given: Record<string, string>) => object[]> = {
  test_simple_prompt: () => [say("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    message(embedded(resourceUri, "Embedded resource content for testing.")),
    say("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [message(image), say("Please analyze the image above.")],
};

const resources: Record<string, object> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: png },
};

function readResource(uri: string): object {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
  const found =
    id === undefined
      ? resources[uri]
      : { mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) };
  if (found === undefined)
    throw new ProtocolError(codes.invalidParams, "Resource not found", { data: { uri }, status: 200 });
  return { contents: [{ uri, ...found }] };
}

const methods: Record<string, Method<Caller>> = {
  "tools/list": () => ({
    tools: [...Object.keys(plainTools), ...Object.keys(activeTools), ...Object.keys(inputs)].map((one) => ({
      name: one,
      description: "A tool of the suite.",
      inputSchema: { type: "object" },
    })),
  }),
  "prompts/list": () => ({
    prompts: Object.keys(prompts).map((one) => ({ name: one, description: "A prompt of the suite." })),
  }),
  "prompts/get"({ params }) {
    if (params["name"] === "test_input_required_result_prompt")
      return requireInput({ rounds: [{ user_context: elicitation("What context?") }] }, params, () => ({
        messages: [say("Complete.")],
      }));
    return {
      messages: prompts[params["name"] as string]?.((params["arguments"] ?? {}) as Record<string, string>),
    };
  },
  "resources/list": () => ({
    resources: Object.keys(resources).map((uri) => ({
      uri,
      name: uri,
      description: "A resource of the suite.",
    })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }),
  "resources/read": ({ params }) => readResource(params["uri"] as string),
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "completion/complete": () => ({ completion: { values: [], total: 0, hasMore: false } }),
  "logging/setLevel": () => ({}),
};
