import { createRequire } from "node:module";
import type * as Graphql from "graphql";
import type { GraphQLResolveInfo } from "graphql";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { bundleLibrary } from "../../config/build/bundle.ts";

let graphql: typeof Graphql;
beforeAll(async () => {
  const { code } = await bundleLibrary("graphql");
  const module = { exports: {} as typeof Graphql };
  // oxlint-disable-next-line no-new-func -- as the executable evaluates it
  new Function("module", "exports", "require", code)(module, module.exports, createRequire(import.meta.url));
  graphql = module.exports;
});
afterEach(() => vi.unstubAllGlobals());

const schemaWith = (resolve: (info: GraphQLResolveInfo) => unknown): Graphql.GraphQLSchema => {
  const schema = graphql.buildSchema("type Query { x: Int }");
  const field = schema.getQueryType()?.getFields()["x"];
  if (field !== undefined) field.resolve = (_source, _args, _context, info) => resolve(info);
  return schema;
};

test("a resolver that asks for the signal of its execution gets one, and it ends with the execution", async () => {
  let signal: AbortSignal | undefined;
  let early: boolean | undefined;
  const schema = schemaWith((info) => {
    signal = info.getAbortSignal();
    early = signal?.aborted;
    return Promise.resolve(1);
  });
  const result = await graphql.execute({ schema, document: graphql.parse("{ x }") });
  expect(result).toEqual({ data: { x: 1 } });
  expect([early, signal?.aborted]).toEqual([false, true]);
});

test("who asks when all is over finds it ended", async () => {
  let ask: (() => AbortSignal | undefined) | undefined;
  const schema = schemaWith((info) => {
    ask = info.getAbortSignal;
    return 1;
  });
  await graphql.execute({ schema, document: graphql.parse("{ x }") });
  expect(ask?.()?.aborted).toBe(true);
});

test("the caller's signal ends the execution, and that of its resolvers for the same reason", async () => {
  const caller = new AbortController();
  let signal: AbortSignal | undefined;
  const schema = schemaWith((info) => {
    signal = info.getAbortSignal();
    return new Promise(() => {});
  });
  const result = graphql.execute({ schema, document: graphql.parse("{ x }"), abortSignal: caller.signal });
  const reason = new Error("gone");
  caller.abort(reason);
  await expect(result).rejects.toThrow("gone");
  expect(signal?.reason).toBe(reason);
});

test("an execution whose resolvers do not ask makes none", async () => {
  const made = vi.fn<() => void>();
  vi.stubGlobal(
    "AbortController",
    class extends AbortController {
      constructor() {
        super();
        made();
      }
    },
  );
  const schema = schemaWith(() => 1);
  expect(await graphql.execute({ schema, document: graphql.parse("{ x }") })).toEqual({ data: { x: 1 } });
  expect(made).not.toHaveBeenCalled();
});
