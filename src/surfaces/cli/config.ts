import { defineLeaf, jsonArg } from "./command.ts";
import type { LoadedSettings } from "../../config.ts";
import type { Host } from "./host.ts";
import { writeJson } from "./json.ts";
import { loadSettings } from "./load-settings.ts";
import { renderTable } from "./table.ts";

export const configCommand = defineLeaf({
  description: "Print the effective configuration and the origin of each value. Secrets are masked.",
  args: jsonArg,
  examples: [
    "penknife config",
    "penknife config --json | jq -r '.items[] | select(.origin != \"default\") | .option'",
  ],
  async run(args, host) {
    const settings = await loadSettings(args, host);
    const items = await optionsOf(settings, host);
    const { ignored } = settings;
    if (args.json === true) return writeJson(host, { items, ...(ignored.length > 0 && { ignored }) });
    const rows = items.map(({ option, value, origin }) => [option, toText(value), origin]);
    await host.stdout.write(renderTable(["OPTION", "VALUE", "FROM"], rows, host.stdout));
  },
});

/** Returns every option with its value and where it was set; secrets are masked. */
export async function optionsOf(
  { config, origins }: Pick<LoadedSettings, "config" | "origins">,
  host: Pick<Host, "program">,
): Promise<{ option: string; value: unknown; origin: string }[]> {
  const sections = config as unknown as Record<string, Record<string, unknown>>;
  const items = [...origins].map(async ([option, origin]) => {
    const [section = "", name = ""] = option.split(".");
    const value = sections[section]?.[name];
    // An empty secret is shown as empty, so that an operator sees that it is not set.
    const masked = value !== "" && (await host.program.isSecret(option));
    return { option, value: masked ? "********" : value, origin };
  });
  return Promise.all(items);
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.join(", ");
  return value === "" ? '""' : String(value);
}
