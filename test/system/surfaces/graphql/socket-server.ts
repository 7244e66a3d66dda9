import { expect } from "vitest";
import { createConnections } from "../../../../src/surfaces/graphql/handlers.ts";
import type { Config } from "../../../../src/options.ts";
import type {
  FormattedResult,
  OperationCaller,
  OperationParams,
  Outcome,
} from "../../../../src/surfaces/graphql/operations.ts";
import { createSockets, type SocketTimes } from "../../../../src/surfaces/graphql/socket.ts";
import { type Harness, type HarnessOptions, openHarness } from "../harness.ts";
import { usual } from "./open.ts";
import { type Handshake, openRawSocket, type RawSocket } from "./raw-socket.ts";

export interface SocketServerOptions extends HarnessOptions {
  graphql?: Partial<Config["graphql"]>;
  times?: Partial<SocketTimes>;
  /** The result of an operation, by its document. */
  operations?: Record<string, Operation>;
}

export type Operation = (caller: OperationCaller, params: OperationParams) => Outcome | Promise<Outcome>;

export interface SocketServer extends Harness {
  /** Every operation that was started. */
  callers: OperationCaller[];
  params: OperationParams[];
  socket(handshake?: Handshake): Promise<RawSocket>;
  /** The same, and `connection_init` was answered. */
  ready(payload?: object, handshake?: Handshake): Promise<RawSocket>;
}

export const result = (data: unknown): Outcome => ({ kind: "result", result: { data } });

/** The message that starts an operation. */
export const subscribe = (query: string, id = "1"): string =>
  JSON.stringify({ type: "subscribe", id, payload: { query } });

/** The server still works: another client is served. */
export async function expectUnharmed(app: SocketServer): Promise<void> {
  const raw = await app.ready();
  raw.send(subscribe("{ a }"));
  expect(await raw.message()).toMatchObject({ type: "next" });
  raw.socket.destroy();
}

/** The HTTP shell with WebSockets on /graphql, and operations of the test behind them. */
export async function openSocketServer(options: SocketServerOptions = {}): Promise<SocketServer> {
  const app = await openHarness(options);
  const callers: OperationCaller[] = [];
  const params: OperationParams[] = [];
  const graphql: Config["graphql"] = { ...usual, ...options.graphql };
  const upgrade = createSockets(
    app.http,
    { ...app.deps, graphql },
    {
      async begin(given, caller) {
        callers.push(caller);
        params.push(given);
        const operation = options.operations?.[given.query.split(" ")[0] as string];
        return operation === undefined ? result({ echo: given.query }) : operation(caller, given);
      },
    },
    createConnections(graphql.maxConnections),
    options.times,
  );
  app.http.upgrade("/graphql", upgrade);
  const socket = (handshake?: Handshake): Promise<RawSocket> =>
    openRawSocket(app.port, { path: `${options.http?.basePath ?? ""}/graphql`, ...handshake });

  return {
    ...app,
    // Most of these clients do not answer a close frame, and are not waited for.
    close: (graceMs = 50) => app.close(graceMs),
    callers,
    params,
    socket,
    async ready(payload, handshake) {
      const raw = await socket(handshake);
      raw.send({ type: "connection_init", ...(payload !== undefined && { payload }) });
      const answer = await raw.message();
      if (answer["type"] !== "connection_ack") throw new Error(JSON.stringify(answer));
      return raw;
    },
  };
}

/** A subscription of values that the test pushes; says whether it still has a listener. */
export function createSource(): {
  operation: Operation;
  push(data: unknown): void;
  end(): void;
  listeners(): number;
} {
  const listeners = new Set<{ queue: FormattedResult[]; wake(): void; over: boolean }>();
  return {
    operation({ signal }) {
      const one = { queue: [] as FormattedResult[], wake() {}, over: false };
      listeners.add(one);
      signal.addEventListener("abort", () => {
        one.over = true;
        one.wake();
      });
      async function* results(): AsyncGenerator<FormattedResult, void> {
        try {
          for (;;) {
            const next = one.queue.shift();
            if (next !== undefined) yield next;
            else if (one.over) return;
            else await new Promise<void>((resolve) => (one.wake = resolve));
          }
        } finally {
          listeners.delete(one);
        }
      }
      return { kind: "stream", results: results() };
    },
    push(data) {
      for (const one of listeners) {
        one.queue.push({ data });
        one.wake();
      }
    },
    end() {
      for (const one of listeners) {
        one.over = true;
        one.wake();
      }
    },
    listeners: () => listeners.size,
  };
}
