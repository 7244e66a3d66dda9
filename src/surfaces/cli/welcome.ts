import type { LoadedSettings } from "../../config.ts";
import { quote } from "../../lib/shell-words.ts";
import type { Host } from "./host.ts";
import { createStyle } from "./style.ts";

interface Welcome {
  settings: LoadedSettings;
  url: string;
  /** Whether there are no accounts yet. */
  first: boolean;
  host: Host;
}

/** The text that a server prints when it has started: its address, a call to try, and the next steps. */
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
        "WARNING: storage.driver is memory. Accounts, keys and counts are lost when this server stops.",
      ),
    );
  } else if (first) {
    lines.push(
      "",
      "There are no accounts yet. To create the first one and its key:",
      ...[`accounts create ci --plan pro`, `keys issue --account ci`].map(
        (words) => `  ${toAdmin(words, settings, host)}`,
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** A curl command that works unchanged on the server's machine. */
function toCurl(url: string): string {
  const here = url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, "//127.0.0.1");
  const unverified = here.startsWith("https:") ? " -k" : "";
  return `curl${unverified} -s ${here}/api/tools/json-formatter -H 'Content-Type: application/json' -d '{"data":"{\\"a\\":1}"}'`;
}

/** The admin command for this store, to be typed outside the container, if there is one. */
function toAdmin(words: string, { config, origins, file, searched }: LoadedSettings, host: Host): string {
  const container = containerPrefix(host);
  const origin = origins.get("storage.path") ?? "default";
  // A path from a flag or a variable of this server must be repeated for the next command; a container keeps its
  // variables.
  const repeated = container === "" ? /^(?:flag|environment)/ : /^flag/;
  const data = repeated.test(origin) ? ` --data ${quote(config.storage.path)}` : "";
  return `${container}${host.self} admin ${words}${data}${data === "" && file !== undefined && !searched ? ` --config ${quote(file)}` : ""}`;
}

function containerPrefix({ files, env, entryPoint }: Host): string {
  if (!entryPoint) return "";
  const name = env.HOSTNAME ?? "NAME";
  if (env.KUBERNETES_SERVICE_HOST !== undefined) return `kubectl exec ${name} -- `;
  if (files.stat("/run/.containerenv") !== undefined) return `podman exec ${name} `;
  return files.stat("/.dockerenv") === undefined ? "" : `docker exec ${name} `;
}
