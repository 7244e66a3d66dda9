import type { GraphProblem } from "./graph.ts";

/** The one WebSocket of a tab (graphql-transport-ws), which carries all its subscriptions. */
export interface GraphSocket {
  subscribe(payload: object, onData: (data: unknown) => void): () => void;
}

export interface GraphSocketDeps {
  /** The URL of GraphQL, over HTTP. */
  url: URL;
  /** Returns undefined if the server does not say. */
  isSignedIn(): Promise<boolean | undefined>;
  /** Called with the code of a refusal, and with "" when the subscriptions run. */
  note(code: string): void;
  /** Whether nothing may be asked any more. */
  isStopped(): boolean;
}

const firstWaitMs = 250;
const maxWaitMs = 10_000;
/** Milliseconds without a refusal after which the subscriptions count as running: the protocol does not confirm them. */
const settledMs = 1000;

export function createSocket({ url, isSignedIn, note, isStopped }: GraphSocketDeps): GraphSocket {
  const address = new URL(url);
  address.protocol = address.protocol.replace("http", "ws");
  const wanted = new Map<string, { payload: object; onData(data: unknown): void }>();
  let socket: WebSocket | undefined;
  let isReady = false;
  let waitMs = firstWaitMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let ids = 0;
  /** The code of the refusal for which the socket is being closed. */
  let refusal = "";

  function connect(): void {
    timer = undefined;
    if (socket !== undefined || wanted.size === 0 || isStopped()) return;
    const opened = new WebSocket(address, "graphql-transport-ws");
    socket = opened;
    opened.addEventListener("open", () => send({ type: "connection_init" }));
    opened.addEventListener("message", ({ data }) => read(JSON.parse(String(data)) as Message));
    opened.addEventListener("close", () => void lost());
  }

  const send = (message: object): void => {
    // A closing socket loses messages, and the browser logs a warning. The next socket subscribes again.
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function read({ type, id = "", payload }: Message): void {
    if (type === "connection_ack") {
      isReady = true;
      for (const [each, { payload: one }] of wanted) send({ type: "subscribe", id: each, payload: one });
      settling = setTimeout(() => note(""), settledMs);
    } else if (type === "next") {
      const { data, errors } = payload as { data: unknown; errors?: GraphProblem[] };
      if (errors !== undefined) return refused(errors);
      waitMs = firstWaitMs;
      note("");
      wanted.get(id)?.onData(data);
    } else if (type === "error") refused(payload as GraphProblem[]);
    // The store was away, for example.
    else if (type === "complete") socket?.close();
    else if (type === "ping") send({ type: "pong" });
  }

  function refused([problem]: readonly GraphProblem[]): void {
    refusal = problem?.extensions?.code ?? "away";
    socket?.close();
  }

  async function lost(): Promise<void> {
    clearTimeout(settling);
    socket = undefined;
    isReady = false;
    if (wanted.size === 0 || isStopped()) return;
    note(refusal || "away");
    refusal = "";
    if ((await isSignedIn()) === false) return note("missing_key");
    // Clients that lost the same server come back at different times.
    timer ??= setTimeout(connect, waitMs * (0.5 + Math.random()));
    waitMs = Math.min(maxWaitMs, waitMs * 2);
  }

  return {
    subscribe(payload, onData) {
      const id = String((ids += 1));
      wanted.set(id, { payload, onData });
      if (isReady) send({ type: "subscribe", id, payload });
      else if (timer === undefined) connect();
      return () => {
        wanted.delete(id);
        if (isReady) send({ type: "complete", id });
        if (wanted.size === 0) socket?.close();
      };
    },
  };
}

interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}
