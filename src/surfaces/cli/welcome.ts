import type { Host, LoadedSettings } from "./host.ts";
import { quote } from "./quote.ts";
import { createStyle } from "./style.ts";

interface Welcome {
  settings: LoadedSettings;
  url: string;
  /** There is no account yet. */
  first: boolean;
  host: Host;
}

/** What an operator wants to know when a server has started: where it is, that it works, what comes next. */
export function renderWelcome({ settings, url, first, host }: Welcome): string {
  const { config, file } = settings;
  const style = createStyle(host.stderr, host.env);
  const lines = [
    `${style.bold("penknife")} is listening on ${style.bold(url)}${file === undefined ? "" : `, configured by ${file}`}`,
    "",
    "Try it:",
    `  ${toCurl(url)}`,
  ];
  if (config.storage.driver === "memory") {
    lines.push(
      "",
      style.yellow(
        "WARNING: storage.driver is memory. Accounts, keys and counts are lost when this server ends.",
      ),
    );
  } else if (first) {
    lines.push(
      "",
      "There are no accounts yet. The first account and its key:",
      ...[`accounts create ci --plan pro`, `keys issue --account ci`].map(
        (words) => `  ${toAdmin(words, settings, host)}`,
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Works as it stands, on the machine that the server runs on. */
function toCurl(url: string): string {
  const here = url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, "//127.0.0.1");
  const unverified = here.startsWith("https:") ? " -k" : "";
  return `curl${unverified} -s ${here}/api/tools/json-formatter -H 'Content-Type: application/json' -d '{"data":"{\\"a\\":1}"}'`;
}

/** The admin command for this store, as it is typed outside the container where there is one. */
function toAdmin(words: string, { config, origins, file }: LoadedSettings, host: Host): string {
  const container = containerPrefix(host);
  const origin = origins.get("storage.path") ?? "default";
  // What this server was told by its own line or variables, the next command has to be told again; a container hands
  // its variables on.
  const told = container === "" ? /^(?:flag|environment)/ : /^flag/;
  const data = told.test(origin) ? ` --data ${quote(config.storage.path)}` : "";
  const found = file === undefined || file === "./penknife.yaml" || file === "/etc/penknife/penknife.yaml";
  return `${container}${host.self} admin ${words}${data}${data === "" && !found ? ` --config ${quote(file)}` : ""}`;
}

function containerPrefix({ files, env, entryPoint }: Host): string {
  if (!entryPoint) return "";
  const name = env.HOSTNAME ?? "NAME";
  if (env.KUBERNETES_SERVICE_HOST !== undefined) return `kubectl exec ${name} -- `;
  if (files.stat("/run/.containerenv") !== undefined) return `podman exec ${name} `;
  return files.stat("/.dockerenv") === undefined ? "" : `docker exec ${name} `;
}
