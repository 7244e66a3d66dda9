import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type ReceivedMessage, toCurl } from "../../../../src/surfaces/web/page/settings/message-curl.ts";

const url = "http://127.0.0.1:8787/inbox/in_1";
const message = (body: string, more: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  method: "POST",
  query: "?a=1&b='x'",
  headers: [
    { name: "Host", value: "evil.example" },
    { name: "Content-Length", value: "3" },
    { name: "X-Quote", value: "it's $(touch /tmp/x) `id`" },
    { name: "X-Empty", value: "" },
  ],
  body,
  bodyBase64: Buffer.from(body).toString("base64"),
  ...more,
});

/** Returns the arguments and the input of curl: a shell runs the command with a function in the place of curl. */
function run(command: string): { args: string[]; input: string } {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; printf END; case " $* " in *" @- "*) cat ;; esac; }\n${command}`;
  const { stdout, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(status).toBe(0);
  const [args = "", input = ""] = stdout.split("\0END");
  return { args: args.split("\0"), input };
}

describe("a message as a curl command", () => {
  it("has method, query and headers, and leaves those of the connection to curl", () => {
    const { args } = run(toCurl(message('{"a":"b"}'), url));
    expect(args).toEqual([
      "-X",
      "POST",
      `${url}?a=1&b='x'`,
      "-H",
      "X-Quote: it's $(touch /tmp/x) `id`",
      "-H",
      "X-Empty;",
      "--data-binary",
      '{"a":"b"}',
    ]);
  });

  it.each(["", "a\nb\n", "it's", "$HOME `id` \\", "zażółć 👋"])("carries the text %j", (body) => {
    expect(run(toCurl(message(body), url)).args.at(-1)).toBe(body);
  });

  it.each(["@/etc/passwd", "\u001b[31mred", "a\r\nb", "x\u202egnp"])(
    "sends %j through Base64: curl or a terminal would obey it",
    (body) => {
      const command = toCurl(message(body), url);
      expect(command).not.toContain(body);
      const { args, input } = run(command);
      expect([args.at(-1), input]).toEqual(["@-", body]);
    },
  );

  it("sends bytes that are not text", () => {
    const bytes = Buffer.from([0xff, 0xfe, 0]);
    const command = toCurl(message("", { body: null, bodyBase64: bytes.toString("base64") }), url);
    expect(command).toMatch(/^printf %s '?\/\/4A'? \| base64 -d \| curl -X POST /);
  });
});
