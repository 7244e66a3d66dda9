import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Answers, Variables } from "./documents.d.ts";
import { createSocket } from "./graph-socket.ts";
import { ask } from "./server.ts";

/** The name of an operation, by which documents.d.ts has the types of its answers and variables. */
export type OperationName = keyof Answers;

/** A document of GraphQL with one operation. */
export type Document<Name extends OperationName> = string & { readonly [operation]: Name };
declare const operation: unique symbol;

export type DataOf<Name extends OperationName> = Answers[Name];
export type VariablesOf<Name extends OperationName> = Variables[Name];

/** Marks a document: `make check` validates it against docs/schema.graphql and compares its types. */
export const gql = <Text extends string>(text: Text): Document<NameIn<Text>> =>
  text as string as Document<NameIn<Text>>;

/** The name of the operation in a document: the word before a space or a parenthesis that follows its kind. */
type NameIn<Text> = Text extends `${string}${"query" | "mutation" | "subscription"} ${infer Rest}`
  ? Rest extends `${infer Word} ${string}`
    ? Extract<Word extends `${infer Name}(${string}` ? Name : Word, OperationName>
    : never
  : never;

/** Keeps a WebSocket open, which the server closes when the session ends, so that an open page says so at once. */
export const endSubscription = gql(`subscription End { events(types: [ACCOUNT_UPDATED]) { id } }`);

/**
 * The reason why a page does not show the present state: `signed-out` until the user signs in again, the others until the server answers
 * again, which the page waits for by itself.
 */
export type Hindrance = "" | "signed-out" | "quota" | "away";

/** A refusal of the server, or its absence. */
export class GraphError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The GraphQL API of the server, with the session of this browser. */
export interface Graph {
  /** Runs a query or a mutation. @throws GraphError */
  request<Name extends OperationName>(
    document: Document<Name>,
    variables: VariablesOf<Name>,
  ): Promise<DataOf<Name>>;
  /** Passes each value of a subscription to `onData`, also after a reconnect. Returns a function that ends it. */
  subscribe<Name extends OperationName>(
    document: Document<Name>,
    variables: VariablesOf<Name>,
    onData: (data: DataOf<Name>) => void,
  ): () => void;
  readonly hindrance: ReadonlySignal<Hindrance>;
}

export interface GraphProblem {
  message: string;
  extensions?: { code?: string };
}

export function openGraph(root: URL): Graph {
  const url = new URL("graphql", root);
  // Apart: a subscription goes on when the quota for requests is spent, and requests are answered when the socket is lost.
  const ofRequests = signal<Hindrance>("");
  const ofSocket = signal<Hindrance>("");
  const hindrance = computed(() => ofRequests.value || ofSocket.value);

  const isSignedOut = (): boolean => hindrance.value === "signed-out";

  /** A page that is signed out asks nothing more: refused credentials block the address. */
  function note(cause: Signal<Hindrance>, code: string): void {
    if (isSignedOut()) return;
    const next = hindranceOf(code);
    (next === "signed-out" ? ofRequests : cause).value = next;
  }

  /** Asks who is signed in, which costs no refused credential. */
  async function isSignedIn(): Promise<boolean | undefined> {
    const { value } = await ask<{ session: unknown }>(new URL("session", root), "GET");
    return value && value.session !== null;
  }

  const socket = createSocket({
    url,
    isSignedIn,
    note: (code) => note(ofSocket, code),
    isStopped: isSignedOut,
  });

  return {
    hindrance,
    subscribe: (document, variables, onData) =>
      socket.subscribe({ query: document, variables }, (data) => onData(data as never)),
    async request(document, variables) {
      if (isSignedOut()) throw new GraphError("missing_key", "The session has ended.");
      const { status, body } = await post(url, JSON.stringify({ query: document, variables }));
      const [problem] = body.errors ?? [];
      const code = problem?.extensions?.code ?? body.code ?? (status === 200 ? "" : "away");
      note(
        ofRequests,
        status === 401
          ? "missing_key"
          : status === 429
            ? "quota_exceeded"
            : status < 500 && status > 0
              ? code
              : "away",
      );
      if (problem === undefined && status === 200) return body.data as never;
      if (status === 0 && /^\s*mutation/.test(document)) throw new GraphError(code, lostMessage);
      throw new GraphError(code, problem?.message ?? body.detail ?? `The server answered with ${status}.`);
    },
  };
}

/** The server may have generated a key whose secret nobody saw. */
const lostMessage =
  "The server cannot be reached. It may have done this before the connection was lost: look at the list before you try again.";

interface Body {
  data?: unknown;
  errors?: GraphProblem[];
  /** Members of a problem document. */
  code?: string;
  detail?: string;
}

async function post(url: URL, text: string): Promise<{ status: number; body: Body }> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      credentials: "same-origin",
      cache: "no-store",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: text,
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  } catch {
    return { status: 0, body: { detail: "The server cannot be reached." } };
  }
}

function hindranceOf(code: string): Hindrance {
  if (/^(?:missing|unknown|revoked|expired|malformed)_key$/.test(code)) return "signed-out";
  if (code === "quota_exceeded") return "quota";
  return /^(?:away|storage_unavailable|overloaded|internal)$/.test(code) ? "away" : "";
}
