import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse } from "graphql";
import { expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { createErrors } from "../../../../src/surfaces/graphql/errors.ts";

const asked = { requestId: "r-1" };
const faults: unknown[] = [];
const errors = createErrors("/base", (error) => void faults.push(error));

function schemaOf(resolve: () => unknown): GraphQLSchema {
  const schema = buildSchema("enum E { A } type Query { x(n: Int! = 1): Int sure: Int! e: E list: [Int!] }");
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve = resolve;
  return schema;
}

async function fieldErrors(document: string, resolve: () => unknown, variableValues = {}) {
  faults.length = 0;
  const result = await execute({ schema: schemaOf(resolve), document: parse(document), variableValues });
  return errors.ofFields(result.errors ?? [], asked);
}

const thrower = (error: unknown) => (): never => {
  throw error;
};

test("a refused field has its code, its place in the document, and the members of problem details", async () => {
  const refusal = new ToolError("invalid_document", "Line 1 is wrong.", {
    errors: [{ message: "wrong", pointer: "/a", line: 1, column: 2, offset: 1 }],
  });
  expect(await fieldErrors("{ y: x }", thrower(refusal))).toEqual([
    {
      message: "Line 1 is wrong. (line 1, column 2)",
      locations: [{ line: 1, column: 3 }],
      path: ["y"],
      extensions: {
        code: "invalid_document",
        status: 422,
        type: "/base/problems/invalid_document",
        requestId: "r-1",
        errors: [{ message: "wrong", pointer: "/a", line: 1, column: 2, offset: 1 }],
      },
    },
  ]);
  expect(faults).toEqual([]);
});

test("nearest, limit and retryAfter are in the extensions, details for headers are not", async () => {
  const details = { nearest: "json-formatter", limit: 5, retryAfter: 3, allow: ["GET"] };
  const [error] = await fieldErrors("{ x }", thrower(new ToolError("overloaded", "Busy.", details)));
  expect(error?.extensions).toEqual({
    code: "overloaded",
    status: 503,
    type: "/base/problems/overloaded",
    requestId: "r-1",
    nearest: "json-formatter",
    limit: 5,
    retryAfter: 3,
  });
});

test.each<[string, unknown]>([
  ["a bug", new TypeError("cannot read /etc/secret of undefined")],
  ["what is no error", "/etc/secret"],
  ["a promise of a bug", async () => Promise.reject(new Error("/etc/secret"))],
  ["an internal fault", new ToolError("internal", "/etc/secret", { errors: [{ message: "/etc/secret" }] })],
  ["an error of the library's", new GraphQLError("/etc/secret")],
])("%s is masked, and logged", async (_, error) => {
  const found = await fieldErrors("{ x }", () => {
    if (typeof error === "function") return (error as () => unknown)();
    throw error;
  });
  expect(found).toMatchObject([
    { path: ["x"], extensions: { code: "internal", status: 500, requestId: "r-1" } },
  ]);
  expect(JSON.stringify(found)).not.toContain("secret");
  expect(faults).toHaveLength(1);
  expect(String(faults[0])).toContain("/etc/secret");
});

test.each<[string, unknown]>([
  ["{ sure }", null],
  ["{ e }", "/etc/secret"],
  ["{ x }", "/etc/secret"],
  ["{ list }", 1],
])("%s with a value that its type does not allow is a bug, and quotes nothing", async (document, value) => {
  const found = await fieldErrors(document, () => value);
  expect(found).toMatchObject([{ extensions: { code: "internal" } }]);
  expect(JSON.stringify(found)).not.toMatch(/secret|non-nullable|Iterable/);
  expect(faults).toHaveLength(1);
});

test("an argument whose variable has no value is an error of the caller", async () => {
  const found = await fieldErrors("query ($n: Int) { x(n: $n) }", () => 1, { n: null });
  expect(found).toMatchObject([{ path: ["x"], extensions: { code: "invalid_input", status: 400 } }]);
  expect(faults).toEqual([]);
});

test("a refused document has the places in it", () => {
  const error = new GraphQLError("Cannot query.", { source: undefined, positions: undefined });
  expect(errors.ofDocument([error], asked)).toMatchObject({
    status: 400,
    errors: [
      {
        message: "Cannot query.",
        extensions: { code: "invalid_input", type: "/base/problems/invalid_input" },
      },
    ],
  });
  const limit = new ToolError("invalid_input", "Too deep.", { limit: 10 });
  expect(
    errors.ofDocument([new GraphQLError("Too deep.", { originalError: limit })], asked).errors[0]?.extensions,
  ).toMatchObject({ code: "invalid_input", limit: 10 });
});

test("a refused request has the status and the headers of REST", () => {
  const refusal = errors.ofRequest(
    new ToolError("quota_exceeded", "Wait.", { limit: 100, retryAfter: 7 }),
    asked,
  );
  expect(refusal).toMatchObject({
    status: 429,
    errors: [{ message: "Wait.", extensions: { code: "quota_exceeded", limit: 100, retryAfter: 7 } }],
  });
  expect(refusal.headers).toEqual(["Cache-Control", "no-store", "Retry-After", "7"]);
  expect(errors.ofRequest(new ToolError("missing_key", "Send a key."), asked).headers).toContain(
    'Bearer realm="penknife"',
  );
  const bug = errors.ofRequest(new Error("/etc/secret"), asked);
  expect(bug).toMatchObject({ status: 500, errors: [{ extensions: { code: "internal" } }] });
  expect(JSON.stringify(bug)).not.toContain("secret");
});

test("input of callers is truncated, and credentials are masked", () => {
  const long = errors.ofDocument([new GraphQLError(`Cannot query ${"x".repeat(100_000)}`)], asked);
  expect(long.errors[0]?.message).toHaveLength(1001);
  const split = errors.ofDocument([new GraphQLError(`${"x".repeat(999)}😀 and more`)], asked);
  expect(split.errors[0]?.message, "without splitting a surrogate pair").toBe(`${"x".repeat(999)}…`);
  const secret = `svc_sess_${"a".repeat(40)}`;
  const found = [
    errors.ofDocument([new GraphQLError(`Value "${secret}" is wrong`)], asked),
    errors.ofRequest(new ToolError("invalid_input", secret, { errors: [{ message: secret }] }), asked),
  ];
  expect(JSON.stringify(found)).not.toContain("aaaa");
  expect(JSON.stringify(found)).toContain("svc_…");
  const pointer = `/${"p".repeat(1000)}`;
  const cut = errors.ofRequest(
    new ToolError("invalid_input", "x", { errors: [{ message: "", pointer }] }),
    asked,
  );
  expect(JSON.stringify(cut).length).toBeLessThan(700);
  // Never half a character.
  expect(
    errors.ofDocument([new GraphQLError("😀".repeat(2000))], asked).errors[0]?.message.isWellFormed(),
  ).toBe(true);
  expect(
    errors.ofDocument([new GraphQLError(`x${"😀".repeat(2000)}`)], asked).errors[0]?.message.isWellFormed(),
  ).toBe(true);
});
