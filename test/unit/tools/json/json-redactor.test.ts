import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-redactor.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const redact = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, indent: 0, ...options });

test.each([
  [
    '{"password":"x","DB_PASSWORD_OLD":1,"apiKey":{"a":1},"Api-Key":[1]}',
    {},
    '{"password":"***","DB_PASSWORD_OLD":"***","apiKey":"***","Api-Key":"***"}',
  ],
  [
    '{"a":[{"access_token":"x"}],"user":"ann","n":1.0}',
    {},
    '{"a":[{"access_token":"***"}],"user":"ann","n":1.0}',
  ],
  ['{"name":1,"userName":2}', { keys: ["name"] }, '{"name":"***","userName":2}'],
  ['{"name":1,"userName":2,"names":3}', { keys: ["*name"] }, '{"name":"***","userName":"***","names":3}'],
  ['{"abc":1,"aXbYc":2,"ab":3}', { keys: ["a*b*c"] }, '{"abc":"***","aXbYc":"***","ab":3}'],
  ['{"aba":1,"ab":2}', { keys: ["ab*ba"] }, '{"aba":1,"ab":2}'],
  ['{"token":1}', { keys: [] }, '{"token":1}'],
  [
    '{"X-Api-Key":1,"pwd":2,"Proxy-Authorization":3,"aws_secret_access_key":4,"credentials":{"a":5},"authorizationUrl":6}',
    {},
    '{"X-Api-Key":"***","pwd":"***","Proxy-Authorization":"***","aws_secret_access_key":"***","credentials":"***","authorizationUrl":6}',
  ],
  ['{"__proto__":{"secret":1},"constructor":2}', {}, '{"__proto__":{"secret":"***"},"constructor":2}'],
  ['{"a":[1,2,3]}', { paths: ["$.a[1:]"] }, '{"a":[1,"***","***"]}'],
  ['{"a":{"b":{"c":1}}}', { paths: ["$.a.b.c", "/a/b"] }, '{"a":{"b":"***"}}'],
  ['{"a":1}', { paths: ["$.nothing", "/b/0"] }, '{"a":1}'],
  ['{"a":1}', { paths: ["$"], mask: "" }, '""'],
])("%s with %j: %s", async (data, options, result) => {
  expect(await redact(data, options)).toBe(result);
});

test.each(["$[", "a", "/~"])("the path %s is an invalid call", async (path) => {
  expect(await refusalOf(redact("{}", { paths: [path] }))).toMatchObject({
    code: "invalid_input",
    pointer: "/paths",
  });
});

test("no secret remains, wherever it is", async () => {
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constant(1),
      fc.array(tie("value")),
      fc.dictionary(fc.constantFrom("a", "token", "my_Secret"), tie("value")),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const result = await redact(JSON.stringify(value));
      expect(result).not.toMatch(/"(?:token|my_Secret)":[^"]/);
    }),
  );
});
