import { randomBytes } from "node:crypto";
import { createLive } from "../../../../src/services/events/live/live.ts";
import type { Config } from "../../../../src/options.ts";
import { defaults } from "../../../support/defaults.ts";
import { addGraphql } from "../../../../src/surfaces/graphql/graphql.ts";
import { type Harness, type HarnessOptions, openHarness } from "../harness.ts";
import { installation } from "../../../unit/surfaces/graphql/installation.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** Without a credential, `GET /graphql` demands it. */
export const preflight = { "graphql-require-preflight": "1" };

export interface GraphqlHarness extends Harness {
  /** One request with this document; any status. */
  send(query: unknown, headers?: Record<string, string>, variables?: unknown): Promise<Response>;
  /** The same, with the answer read. */
  ask(query: string, variables?: object, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: {
    message: string;
    locations?: object[];
    path?: (string | number)[];
    extensions: { code: string; [name: string]: unknown };
  }[];
}

export const usual = defaults.graphql;

/** GraphQL over the harness of HTTP, in this process; without the operations that need the operator's services. */
export async function openGraphql(
  options: HarnessOptions & { graphql?: Partial<Config["graphql"]> } = {},
): Promise<GraphqlHarness> {
  const app = await openHarness(options);
  addGraphql(app.http, {
    ...app.deps,
    graphql: { ...usual, ...options.graphql },
    admin: () => Promise.reject(new Error("a fault of the test's")),
    live: async () => createLive({ runtime: testRuntime({ random: randomBytes, report() {} }) }),
    installation,
  });
  const send: GraphqlHarness["send"] = (query, headers, variables) =>
    app.post("/graphql", JSON.stringify({ query, variables }), headers);
  return {
    ...app,
    send,
    ask: async (query, variables, headers) =>
      (await (await send(query, headers, variables)).json()) as Answer,
  };
}
