import { expect, test } from "vitest";
import toJson from "../../../../src/tools/web/query-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const compact = async (input: Record<string, unknown>): Promise<string> =>
  (await runTool(toJson, input)).replaceAll(/\n\s*/g, "");

test.each([
  [{ data: "" }, "{}"],
  [{ data: "?" }, "{}"],
  [{ data: "a=1&b=&c&&=d" }, '{"a": "1","b": "","c": "","": "d"}'],
  [{ data: "a=1&a=2&a=3" }, '{"a": ["1","2","3"]}'],
  [{ data: "a=b=c\n" }, '{"a": "b=c"}'],
  [{ data: "a+b=c+d%2B" }, '{"a b": "c d+"}'],
  [{ data: "a+b=c+d", plusAsSpace: false }, '{"a+b": "c+d"}'],
  [{ data: "2=x&1=y&__proto__=z&constructor=w" }, '{"2": "x","1": "y","__proto__": "z","constructor": "w"}'],
  [{ data: "n=007" }, '{"n": "007"}'],
  [{ data: "a[]=1" }, '{"a[]": "1"}'],
  [{ data: "a[]=1", arrays: "bracket" }, '{"a": ["1"]}'],
  [{ data: "a%5B%5D=1&a%5b%5d=2", arrays: "bracket" }, '{"a": ["1","2"]}'],
  [
    { data: "a[b][c]=1&a[d]=2&a[b][__proto__]=3", arrays: "bracket" },
    '{"a": {"b": {"c": "1","__proto__": "3"},"d": "2"}}',
  ],
  [{ data: "a[b=1&[c]=2&c]=3", arrays: "bracket" }, '{"a[b": "1","": {"c": "2"},"c]": "3"}'],
  [{ data: "a=1,2%2C3", arrays: "comma" }, '{"a": ["1","2,3"]}'],
  [{ data: "a=é%C3%A9" }, '{"a": "éé"}'],
])("%j", async (input, result) => {
  expect(await compact(input)).toBe(result);
});

test.each([
  [{ data: "é=1&a=%zz" }, 7],
  [{ data: "a=%" }, 2],
  [{ data: "a=1&b=%C3" }, 6],
  [{ data: "a=1&a[b]=2", arrays: "bracket" }, 4],
  [{ data: "a[b]=1&a=2", arrays: "bracket" }, 7],
  [{ data: "a[][b]=1", arrays: "bracket" }, 0],
  [{ data: `a${"[b]".repeat(33)}=1`, arrays: "bracket" }, 0],
])("%j is refused", async (input, offset) => {
  expect(await refusalOf(runTool(toJson, input))).toMatchObject({ code: "invalid_document", offset });
});
