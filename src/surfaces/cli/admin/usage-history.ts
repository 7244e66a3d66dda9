import type { OutputOf } from "../../../operations/index.ts";
import type { UsageGroup } from "../../../services/usage/report.ts";
import type { Host, Output } from "../host.ts";
import { writeJson } from "../json.ts";
import { columnsOf, renderTable } from "../table.ts";

type UsageReport = OutputOf<"usage.history">;
type UsageItem = UsageReport["items"][number];

export type UsageFormat = "table" | "json" | "csv";

const columns = [
  "requests",
  "ok",
  "refused",
  "failed",
  "limited",
  "inputBytes",
  "outputBytes",
  "milliseconds",
] as const;
const widestBar = 40;
const narrowestBar = 8;
const levels = "▁▂▃▄▅▆▇█";
const eighths = " ▏▎▍▌▋▊▉█";

export async function writeUsage(report: UsageReport, format: UsageFormat, host: Host): Promise<void> {
  const { stdout } = host;
  if (format === "json") return writeJson(host, report);
  if (format === "csv") return stdout.write(renderCsv(report));
  await stdout.write(
    stdout.isTTY ? renderHeading(report, stdout) + renderChart(report, stdout) : renderPlain(report),
  );
}

/** Names and numbers need no quotes (RFC 4180). Lines end with LF. */
function renderCsv({ by, items }: UsageReport): string {
  const names = namesOf(by);
  const lines = [
    [...names, ...columns],
    ...items.map((item) => [...names.map((name) => item[name] ?? ""), ...numbers(item)]),
  ];
  return lines.map((line) => `${line.join(",")}\n`).join("");
}

/** For scripts: no heading and no chart, fields separated by tabs. */
const renderPlain = ({ by, items }: UsageReport): string =>
  items
    .map((item) => `${[...namesOf(by).map((name) => item[name] ?? ""), ...numbers(item)].join("\t")}\n`)
    .join("");

function renderHeading({ since, until, hours }: UsageReport, output: Output): string {
  const total = hours.reduce((sum, requests) => sum + requests, 0);
  const line = renderSparkline(hours, columnsOf(output) - 1);
  const requests = total === 1 ? "1 request" : `${total.toLocaleString("en")} requests`;
  return `${requests} from ${since} to ${until}\n${line.trim() === "" ? "" : `${line}\n`}\n`;
}

function renderChart({ by, items }: UsageReport, output: Output): string {
  const names = namesOf(by);
  const headings = [
    ...names.map((name) => name.toUpperCase()),
    "REQUESTS",
    "OK",
    "REFUSED",
    "FAILED",
    "LIMITED",
    "IN",
    "OUT",
    "AVG MS",
  ];
  const rows = items.map((item) => [
    ...names.map((name) => item[name] ?? ""),
    ...[item.requests, item.ok, item.refused, item.failed, item.limited].map(String),
    toSize(item.inputBytes),
    toSize(item.outputBytes),
    item.requests === 0 ? "-" : (item.milliseconds / item.requests).toFixed(1),
  ]);
  const most = Math.max(...items.map(({ requests }) => requests), 0);
  const used = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const room = columnsOf(output) - used.reduce((sum, width) => sum + width + 2, 0) - 1;
  if (room < narrowestBar) return renderTable(headings, rows, output);
  const width = Math.min(room, widestBar);
  return renderTable(
    [...headings, ""],
    rows.map((row, index) => [...row, renderBar(items[index]?.requests ?? 0, most, width)]),
    output,
  );
}

/** The columns that name an item; a key has its account beside it. */
const namesOf = (by: UsageReport["by"]): readonly UsageGroup[] => (by === "key" ? ["key", "account"] : [by]);

const numbers = (item: UsageItem): number[] => columns.map((name) => item[name]);

function toSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

/** Renders values as one line of at most `width` blocks, adding up neighbours if there are more values. Zero is a space. */
export function renderSparkline(values: readonly number[], width: number): string {
  const per = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  const sums: number[] = [];
  // From the end, so that the newest block sums as many values as the others.
  for (let end = values.length; end > 0; end -= per) {
    sums.unshift(values.slice(Math.max(0, end - per), end).reduce((sum, value) => sum + value, 0));
  }
  const most = Math.max(...sums, 1);
  return sums.map((sum) => (sum === 0 ? " " : levels[Math.ceil((sum / most) * levels.length) - 1])).join("");
}

/** Renders a bar of `value`, where `most` fills the width. A value above zero is always visible. */
export function renderBar(value: number, most: number, width: number): string {
  if (value <= 0 || most <= 0) return "";
  const parts = Math.max(1, Math.round((value / most) * width * 8));
  return `${"█".repeat(Math.floor(parts / 8))}${eighths[parts % 8] ?? ""}`.trimEnd();
}
