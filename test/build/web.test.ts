import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Headers } from "../../config/build/runtime/headers.ts";
import * as web from "../../config/build/runtime/web.ts";

const { Headers: Native, Request: NativeRequest, Response: NativeResponse } = globalThis;

/** What a call does: its result, or the class of what it throws. */
function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

const name = fc.constantFrom(
  "a",
  "A",
  "b-c",
  "Set-Cookie",
  "set-cookie",
  "cookie",
  "content-type",
  "",
  "a b",
  "é",
  "x\n",
);
const value = fc.oneof(
  fc.string(),
  fc.constantFrom(" padded\t", "ü", "€", "a\r\nb", "\0", "a, b", "\n end \r"),
);
const step = fc.oneof(
  fc.record({ method: fc.constantFrom("append", "set"), args: fc.tuple(name, value) }),
  fc.record({ method: fc.constantFrom("delete", "get", "has"), args: fc.tuple(name) }),
  fc.record({ method: fc.constant("getSetCookie"), args: fc.tuple() }),
);

describe("our Headers", () => {
  it("do what the global ones do, call by call", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const [ours, theirs] = [new Headers(), new Native()] as unknown as Record<
          string,
          (...args: unknown[]) => unknown
        >[];
        for (const { method, args } of steps) {
          expect(outcome(() => ours?.[method]?.(...args))).toEqual(
            outcome(() => theirs?.[method]?.(...args)),
          );
        }
        expect([...(ours as unknown as Headers)]).toEqual([...(theirs as unknown as globalThis.Headers)]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [
      "pairs",
      [
        ["b", "1"],
        ["a", "2"],
        ["b", "3"],
      ],
    ],
    ["a record", { "X-B": "1", a: "2" }],
    ["headers", new Native({ a: "1" })],
    ["nothing", undefined],
    ["an odd pair", [["a"]]],
    ["a long pair", [["a", "b", "c"]]],
    ["a number", 1],
    ["null", null],
  ])("take %s as the global ones do", (_, init) => {
    const entries = (Class: typeof Native | typeof Headers) => outcome(() => [...new Class(init as never)]);
    expect(entries(Headers)).toEqual(entries(Native));
  });

  it("are taken by the global classes", () => {
    const ours = new Headers([
      ["a", "1"],
      ["set-cookie", "b"],
      ["set-cookie", "c"],
    ]);
    expect([...new Native(ours as never)]).toEqual([...ours]);
    expect(new NativeResponse(null, { headers: ours as never }).headers.getSetCookie()).toEqual(["b", "c"]);
    expect([ours instanceof Headers, new Native() instanceof Headers, {} instanceof Headers]).toEqual([
      true,
      true,
      false,
    ]);
    const visited: string[] = [];
    ours.forEach((text, key) => visited.push(`${key}=${text}`));
    expect(visited).toEqual(["a=1", "set-cookie=b", "set-cookie=c"]);
    expect([[...ours.keys()], [...ours.values()]]).toEqual([
      ["a", "set-cookie", "set-cookie"],
      ["1", "b", "c"],
    ]);
  });
});

describe("a stand-in", () => {
  it.each([
    ["Request", NativeRequest, web.requestMembers],
    ["Response", NativeResponse, web.responseMembers],
  ])("has the members of %s in this Node", (_, Class, { getters, methods, statics }) => {
    const members = Object.entries(Object.getOwnPropertyDescriptors(Class.prototype)).filter(
      // "attribute" is a leftover of undici's own.
      ([key]) => key !== "constructor" && key !== "attribute",
    );
    const named = (test: (descriptor: PropertyDescriptor) => boolean) =>
      members
        .filter(([, descriptor]) => test(descriptor))
        .map(([key]) => key)
        .toSorted();
    expect(getters.toSorted()).toEqual(named(({ get }) => get !== undefined));
    expect(methods.toSorted()).toEqual(named(({ value: found }) => typeof found === "function"));
    const own = Object.keys(Object.getOwnPropertyDescriptors(Class)).filter(
      (key) => !["length", "name", "prototype"].includes(key),
    );
    expect(statics.toSorted()).toEqual(own.toSorted());
  });

  it("constructs the real thing and knows it again", async () => {
    const response = new web.Response("text", { status: 201 });
    expect(response.constructor).toBe(NativeResponse);
    expect([
      response instanceof web.Response,
      {} instanceof web.Response,
      ("x" as unknown) instanceof web.Response,
    ]).toEqual([true, false, false]);
    expect(await web.Response.json([1]).json()).toEqual([1]);
    expect(new Blob([]) instanceof web.Blob).toBe(true);
    expect(new ReadableStream() instanceof web.ReadableStream).toBe(true);
  });
});
