import { isServed } from "../../storage/folder-socket.ts";
import { checkClock } from "./clock.ts";
import { checkExposure } from "./exposure.ts";
import { type DoctorDeps, type Finding, warning } from "./finding.ts";
import { checkFolder } from "./folder.ts";
import { checkHistory } from "./history.ts";
import { checkLock } from "./lock.ts";
import { checkPort } from "./port.ts";
import { checkProxies } from "./proxies.ts";
import { checkProxyAuth } from "./proxy-auth.ts";
import { checkRecords } from "./records.ts";
import { checkRedis } from "./redis.ts";
import { checkResources } from "./resources.ts";
import { checkSignOn } from "./sign-on.ts";
import { checkTls } from "./tls.ts";
import type { Config } from "../../options.ts";

type Check = (settings: Config, deps: DoctorDeps) => Finding[] | Promise<Finding[]>;

/** The checks in the order of the report. None changes anything. */
const checks: Record<string, Check> = {
  clock: (_, deps) => checkClock(deps),
  storage: checkStorage,
  proxies: ({ server }) => checkProxies(server),
  proxyAuth: checkProxyAuth,
  exposure: checkExposure,
  tls: ({ server }, deps) => checkTls(server, deps),
  signOn: checkSignOn,
  port: async ({ server, storage }) =>
    checkPort(server, storage.driver === "file" && (await isServed(storage.path))),
  resources: checkResources,
};

/** Runs every check. A check that throws becomes a finding. */
export async function examine(settings: Config, deps: DoctorDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check(settings, deps)));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      findings.push(warning(name, `This check failed: ${reason}`, "Run the command as the server's user."));
    }
  }
  return findings;
}

async function checkStorage({ storage }: Config, deps: DoctorDeps): Promise<Finding[]> {
  switch (storage.driver) {
    case "memory":
      return [
        warning(
          "storage.driver",
          "storage.driver is memory: accounts, keys and counts are lost when the server stops.",
          "Set storage.driver to file or redis.",
        ),
      ];
    case "redis":
      return checkRedis(storage, deps);
    case "file": {
      const { findings, usable } = await checkFolder(storage.path, deps);
      if (!usable) return findings;
      return [
        ...findings,
        ...(await checkLock(storage.path)),
        ...(await checkRecords(storage.path, storage.encryptionKey)),
        ...(await checkHistory(storage.path)),
      ];
    }
  }
}
