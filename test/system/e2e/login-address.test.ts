import { expect, it, onTestFinished } from "vitest";
import { emptyFolder, type Output, penknife, serve, type Server } from "./harness.ts";

/** Starts a server on a port that no option names, with an account, and returns a way to print codes for it. */
async function start(
  env: Record<string, string>,
): Promise<{ server: Server; login(more?: readonly string[]): Promise<Output> }> {
  const folder = emptyFolder();
  onTestFinished(folder.remove);
  const server = await serve(folder.path, env);
  onTestFinished(async () => void (await server.stop()));
  await expect
    .poll(
      async () =>
        (await penknife(folder.path, ["admin", "accounts", "create", "ci", "--plan", "pro"], { env })).status,
      { timeout: 60_000 },
    )
    .toBe(0);
  // The port that the configuration names is not that of the server.
  const configured = { ...env, PENKNIFE_SERVER_PORT: "8787" };
  return {
    server,
    login: (more = []) =>
      penknife(folder.path, ["admin", "login", "--account", "ci", ...more], { env: configured }),
  };
}

it("admin login names the address of the server that runs on the folder", async () => {
  const { server, login } = await start({ PENKNIFE_SERVER_BASE_PATH: "/a/b" });
  const page = `http://127.0.0.1:${server.port}/a/b/sign-in`;
  const { code, url } = JSON.parse((await login(["--json"])).stdout) as { code: string; url: string };
  expect(url).toBe(`${page}#code=${code}`);
  const printed = await login();
  expect(printed.stderr).toContain(`\nOr enter it at ${page}\n`);
  // What scripts write to standard error is often kept.
  expect(printed.stderr).not.toContain(printed.stdout.trim());
}, 120_000);

it("of a server on every address it names the one of this machine", async () => {
  const { server, login } = await start({ PENKNIFE_SERVER_HOST: "0.0.0.0" });
  const { url } = JSON.parse((await login(["--json"])).stdout) as { url: string };
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/sign-in#code=`));
}, 120_000);
