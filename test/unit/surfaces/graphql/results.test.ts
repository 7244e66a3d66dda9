import { type ExecutionResult, GraphQLError } from "graphql";
import { expect, test, vi } from "vitest";
import { toStream } from "../../../../src/surfaces/graphql/results.ts";

/** A source that waits for the test, and knows whether it still has a reader. */
function open() {
  let settle: PromiseWithResolvers<IteratorResult<ExecutionResult, void>> = Promise.withResolvers();
  const left = vi.fn<() => void>();
  const leaving = new AbortController();
  const source = {
    next: () => settle.promise,
    async return() {
      left();
      return { done: true, value: undefined };
    },
  } as unknown as AsyncGenerator<ExecutionResult, void, void>;
  const results = toStream(
    source,
    ({ data, errors }) => ({ data, ...(errors && { errors: errors.map(({ message }) => ({ message })) }) }),
    leaving.signal,
  );
  return {
    results,
    left,
    leaving,
    push(value: number) {
      const before = settle;
      settle = Promise.withResolvers();
      before.resolve({ done: false, value: { data: { value } } });
    },
    end: () => settle.resolve({ done: true, value: undefined }),
    fail: (error: unknown) => settle.reject(error),
  };
}

const over = { done: true, value: undefined };

test("yields each result, and ends with the source", async () => {
  const { results, push, end, left } = open();
  const first = results.next();
  push(1);
  expect(await first).toEqual({ done: false, value: { data: { value: 1 } } });
  const last = results.next();
  end();
  expect(await last).toEqual(over);
  expect(await results.next()).toEqual(over);
  expect(left).toHaveBeenCalledTimes(1);
});

test("a disconnecting reader frees the source at once, even while it waits", async () => {
  const { results, left, push } = open();
  const pending = results.next();
  expect(await results.return()).toEqual(over);
  expect(left).toHaveBeenCalledTimes(1);
  expect(await results.next()).toEqual(over);
  // Later values have no reader.
  push(1);
  expect(await pending).toEqual(over);
  await results.return();
  expect(left).toHaveBeenCalledTimes(1);
});

test("a disconnect ends it too, before or while it listens", async () => {
  const { results, left, leaving, push } = open();
  const pending = results.next();
  leaving.abort();
  expect(left).toHaveBeenCalledTimes(1);
  push(1);
  expect(await pending).toEqual(over);
  const gone = AbortSignal.abort();
  const early = vi.fn<() => Promise<unknown>>(async () => over);
  toStream({ return: early } as never, () => ({ data: null }), gone);
  expect(early).toHaveBeenCalledTimes(1);
});

test.each<[unknown, string]>([
  [new GraphQLError("too slow"), "too slow"],
  [new Error("inside"), "The subscription has failed"],
  ["no error", "The subscription has failed"],
])("a source that fails with %s ends with an error", async (error, message) => {
  const { results, fail, left } = open();
  const pending = results.next();
  fail(error);
  expect(await pending).toEqual({ done: false, value: { data: null, errors: [{ message }] } });
  expect(await results.next()).toEqual(over);
  expect(left).toHaveBeenCalledTimes(1);
});

test("it can be ended by a loop and by `using`", async () => {
  const { results, push, left } = open();
  push(1);
  push(2);
  const loop = open();
  const first = loop.results.next();
  loop.push(1);
  await first;
  await loop.results[Symbol.asyncDispose]();
  expect(loop.left).toHaveBeenCalledTimes(1);
  await expect(results.throw(new Error("mine"))).rejects.toThrow("mine");
  expect(left).toHaveBeenCalledTimes(1);
  expect(results[Symbol.asyncIterator]()).toBe(results);
});
