import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { reportError } from "../../../src/surfaces/cli/report-error.ts";
import { usageError } from "../../../src/surfaces/cli/usage-error.ts";
import { createTestHost, penknife } from "./host.ts";

const brokenPipe = Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });

/** Standard error whose reader has gone. */
const closed = { isTTY: false, write: () => Promise.reject(brokenPipe) };

describe("with a standard error that rejects", () => {
  test.each([
    [usageError("Give --a or --b."), 2],
    [new ToolError("invalid_document", "No."), 1],
    [new ToolError("storage_unavailable", "No."), 3],
    [new TypeError("x is not a function"), 3],
  ])("%s still sets the exit status", async (error, status) => {
    const { host } = createTestHost({ host: { stderr: closed } });
    expect(await reportError(error, host)).toBe(status);
  });

  test("a command line still ends with its exit status", async () => {
    expect(await penknife(["srve"], { host: { stderr: closed } })).toMatchObject({ status: 2, stdout: "" });
  });
});

test("a closed standard output is not an error and is not reported", async () => {
  const { host, seen } = createTestHost();
  expect(await reportError(brokenPipe, host)).toBe(0);
  expect(seen().stderr).toBe("");
});

test.each([
  [
    { code: "EACCES", syscall: "open", path: "a.json" },
    "permission denied, open",
    /^penknife: a\.json: .*\n$/,
  ],
  [{ code: "ENOSPC", syscall: "write" }, "no space", /^penknife: The output cannot be written: .*\n$/],
  [{ code: "EMFILE", syscall: "spawn" }, "too many", /^penknife: The operating system reported: .*\n$/],
])("%o is reported with what it concerns", async (fields, message, line) => {
  const { host, seen } = createTestHost();
  expect(await reportError(Object.assign(new Error(message), fields), host)).toBe(3);
  expect(seen().stderr).toMatch(line);
});
