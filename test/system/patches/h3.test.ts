import { execFileSync } from "node:child_process";
import { H3, HTTPError } from "h3/generic";
import { expect, test } from "vitest";

// config/patches/h3@2.0.8.patch. The test of the bundle shows that the executable starts without undici.
const app = new H3();
app.get("/nothing", () => null);
app.get("/json", (event) => {
  event.res.headers.set("x-one", "1");
  return { a: 1 };
});
app.get("/text", () => "text");

test.each<[string, number, string, Record<string, string>]>([
  ["/nothing", 200, "", { "content-length": "0" }],
  ["/json", 200, '{"a":1}', { "content-type": "application/json;charset=UTF-8", "x-one": "1" }],
  ["/text", 200, "text", {}],
])("h3 answers %s as it does unpatched", async (path, status, text, headers) => {
  for (let time = 0; time < 2; time++) {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  }
});

test("the headers of one error do not appear in the next", async () => {
  app.get("/first", (event) => {
    event.res.errHeaders.set("x-first", "1");
    throw new HTTPError({ status: 418 });
  });
  const first = await app.fetch(new Request("http://localhost/first"));
  const second = await app.fetch(new Request("http://localhost/none"));
  expect([first.status, first.headers.get("x-first")]).toEqual([418, "1"]);
  expect([second.status, second.headers.get("x-first")]).toEqual([404, null]);
  expect(second.headers.get("content-type")).toBe("application/json;charset=UTF-8");
});

test("importing the module of responses creates no headers", () => {
  const url = new URL("../../../node_modules/h3/dist/response.mjs", import.meta.url);
  const script = `
    await import("srvx");
    let made = 0;
    globalThis.Headers = class extends Headers { constructor(init) { super(init); made++; } };
    await import(${JSON.stringify(url.href)});
    console.log(made);`;
  expect(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: url.pathname.replace(/\/node_modules\/.*/, ""),
      encoding: "utf8",
    }),
  ).toBe("0\n");
});
