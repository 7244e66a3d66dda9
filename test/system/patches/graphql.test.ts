import * as graphql from "graphql";
import { afterEach, expect, test, vi } from "vitest";

// config/patches/graphql@17.1.0.patch
afterEach(() => vi.unstubAllGlobals());

const schemaWith = (resolve: (info: graphql.GraphQLResolveInfo) => unknown): graphql.GraphQLSchema => {
  const schema = graphql.buildSchema("type Query { x: Int }");
  const field = schema.getQueryType()?.getFields()["x"];
  if (field !== undefined) field.resolve = (_source, _args, _context, info) => resolve(info);
  return schema;
};

test("a resolver gets the signal of its execution, which aborts at the end", async () => {
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

test("a signal that is first read after the execution is aborted", async () => {
  let ask: (() => AbortSignal | undefined) | undefined;
  const schema = schemaWith((info) => {
    ask = info.getAbortSignal;
    return 1;
  });
  await graphql.execute({ schema, document: graphql.parse("{ x }") });
  expect(ask?.()?.aborted).toBe(true);
});

test("the caller's signal ends the execution and aborts the resolvers' signal with the same reason", async () => {
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

test("an execution whose resolvers do not read the signal creates no AbortController", async () => {
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
