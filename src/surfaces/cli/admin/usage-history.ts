import type { UsageItem, UsageReport } from "../../../services/usage/report.ts";
import type { Host, Output } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderTable } from "../table.ts";
import { renderBar, renderSparkline } from "./chart.ts";

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

export async function writeUsage(report: UsageReport, format: UsageFormat, host: Host): Promise<void> {
  const { stdout } = host;
  if (format === "json") return writeJson(host, report);
  if (format === "csv") return stdout.write(renderCsv(report));
  await stdout.write(
    stdout.isTTY ? renderHeading(report, stdout) + renderChart(report, stdout) : renderPlain(report),
  );
}

/** Names and numbers: nothing in them needs quotes (RFC 4180), and lines end as they do on Unix. */
function renderCsv({ by, items }: UsageReport): string {
  const names = namesOf(by);
  const lines = [
    [...names, ...columns],
    ...items.map((item) => [...names.map((name) => item[name] ?? ""), ...numbers(item)]),
  ];
  return lines.map((line) => `${line.join(",")}\n`).join("");
}

/** For a script: no heading, no chart, tabs. */
const renderPlain = ({ by, items }: UsageReport): string =>
  items
    .map((item) => `${[...namesOf(by).map((name) => item[name] ?? ""), ...numbers(item)].join("\t")}\n`)
    .join("");

function renderHeading({ since, until, hours }: UsageReport, output: Output): string {
  const total = hours.reduce((sum, requests) => sum + requests, 0);
  const line = renderSparkline(hours, (output.columns || 80) - 1);
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
  const room = (output.columns || 80) - used.reduce((sum, width) => sum + width + 2, 0) - 1;
  if (room < narrowestBar) return renderTable(headings, rows, output);
  const width = Math.min(room, widestBar);
  return renderTable(
    [...headings, ""],
    rows.map((row, index) => [...row, renderBar(items[index]?.requests ?? 0, most, width)]),
    output,
  );
}

/** Whose a key is stands beside it. */
const namesOf = (by: UsageReport["by"]): readonly ("account" | "key" | "tool" | "hour")[] =>
  by === "key" ? ["key", "account"] : [by];

const numbers = (item: UsageItem): number[] => columns.map((name) => item[name]);

function toSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
