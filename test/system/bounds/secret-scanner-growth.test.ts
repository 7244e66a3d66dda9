import { expect, test } from "vitest";
import tool from "../../../src/tools/lint/secret-scanner.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const scan = (data: string): Promise<string> => runTool(tool, { data });

/** Beginnings of texts that the rules search for. */
const beginnings = [
  "lorem ipsum, ",
  "a",
  "A",
  "token",
  "token=",
  "token: |\n  ",
  'token: "',
  '"token": ["a",',
  "password: a b c ",
  "apiKey=a.",
  "<token>",
  'name: "token",\n',
  "authorization: bearer ",
  "cookie: a=b; ",
  "curl -u a:b ",
  "-eyJ",
  "awssecret",
  "ghp_",
  "sk-",
  "a://",
  "://a:",
  "xoxb-",
  "M.",
  "_",
  "kind: Secret\n",
  "a.b:5432:a:b:",
  "xoxe.",
  "=sl.",
  "/ops_eyJ",
  "${a",
  "@",
  "BasicAuth(",
];

test.each(beginnings)("the work for %j grows linearly with the text", async (unit) => {
  const cost = async (length: number): Promise<number> => {
    const data = unit.repeat(length / unit.length);
    await scan(data);
    const { user } = process.cpuUsage();
    for (let times = 0; times < 3; times++) await scan(data);
    return process.cpuUsage().user - user;
  };
  const small = await cost(25_000);
  // Eight times the text: a quadratic search would take sixty-four times the work.
  expect(await cost(200_000)).toBeLessThan(Math.max(small, 10_000) * 24);
});
