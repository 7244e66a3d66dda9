import { DocumentFault, unlessFault } from "../fault.ts";
import { describeCron, type DescribeOptions, tableOf } from "./describe.ts";
import { cronDialects } from "./field.ts";
import { readInterval } from "./interval.ts";
import { type CronExpression, parseCron } from "./parse.ts";
import { nextRuns, repeatedRuns, type ScheduleOptions } from "./schedule.ts";
import { fromSystemd } from "./systemd.ts";
import { isTimeZone } from "../time/zone.ts";

export const scheduleDialects = [...cronDialects, "systemd"] as const;

export interface PlanOptions extends Omit<DescribeOptions, "bothDays">, Omit<ScheduleOptions, "bothDays"> {
  dialect: (typeof scheduleDialects)[number];
  seconds: boolean;
  days: "or" | "and";
}

export interface Plan {
  dialect: PlanOptions["dialect"];
  description: string;
  timeZone: string;
  /** The command of a line of a crontab. */
  command?: string;
  fields: ReturnType<typeof tableOf>;
  runs: string[];
}

/**
 * Explains a schedule, also in a line of a crontab, and lists its next runs.
 * @throws DocumentFault that names the dialect in which the expression is valid, if there is one.
 */
export async function planSchedule(text: string, options: PlanOptions): Promise<Plan> {
  const { dialect, timeZone } = options;
  const interval = readInterval(text);
  if (interval !== undefined) {
    const runs = repeatedRuns(interval, options);
    return { dialect, description: interval.description, timeZone, fields: [], runs };
  }
  if (dialect !== "unix") return planExpression(text, options);
  // Only AWS writes cron(…).
  if (/^\s*cron\(.*\)\s*$/is.test(text)) return planExpression(text, { ...options, dialect: "aws" });
  const { expression, command, ...zone } = options.seconds ? { expression: text } : readCrontabLine(text);
  const plan = await planExpression(expression, { ...options, ...zone });
  return { ...plan, ...(command !== undefined && { command }) };
}

async function planExpression(text: string, options: PlanOptions): Promise<Plan> {
  const { dialect, days, timeZone } = options;
  const expression = parseSchedule(text, options);
  const bothDays = days === "and" || dialect === "systemd";
  const runs = nextRuns(expression, { ...options, bothDays });
  if (runs.length === 0)
    throw new DocumentFault("This expression never runs: no matching day follows that time.", { index: 0 });
  const description = await describeCron(expression, { ...options, bothDays });
  return { dialect, description, timeZone, fields: tableOf(expression.fields), runs };
}

function parseSchedule(text: string, options: PlanOptions): CronExpression {
  try {
    return parseAs(text, options);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const other = alternatives.find((one) => isValid(text, { ...options, ...one }));
    if (other === undefined) throw error;
    const [name, value] = Object.entries(other).at(-1) as [string, unknown];
    throw new DocumentFault(`${error.message} It is valid with ${name} ${String(value)}.`, error.at);
  }
}

const alternatives: readonly Partial<PlanOptions>[] = [
  { seconds: false, dialect: "quartz" },
  { seconds: false, dialect: "aws" },
  { seconds: false, dialect: "unix" },
  { dialect: "unix", seconds: true },
  { seconds: false, dialect: "systemd" },
];

const isValid = (text: string, options: PlanOptions): boolean =>
  unlessFault(() => parseAs(text, options)) !== undefined;

const parseAs = (text: string, { dialect, seconds }: PlanOptions): CronExpression =>
  dialect === "systemd" ? parseEvent(text) : parseCron(text, dialect, seconds);

function parseEvent(text: string): CronExpression {
  const translated = fromSystemd(text);
  try {
    return parseCron(translated, "unix", true);
  } catch (error) {
    // Its place is in the translation.
    throw error instanceof DocumentFault ? new DocumentFault(error.message, { index: 0 }) : error;
  }
}

interface CrontabLine {
  /** The expression at its place in the line: what stands before it is replaced by spaces. */
  expression: string;
  /** The zone of CRON_TZ= or TZ= before the expression. */
  timeZone?: string;
  /** The command after the expression; in /etc/crontab it begins with the user. */
  command?: string;
}

/** The five fields, or a nickname, before a command. The command begins with what no field has. */
const withCommand = /^(\s*(?:@[a-z]+|[^\s@]+(?:\s+\S+){4}))\s+((?=\S*[^\s\dA-Z*?,/#LW-]|[a-z])\S.*)$/s;

/**
 * Splits a line of a crontab (crontab(5)) into its zone, its expression and its command.
 * @throws DocumentFault with the index of an unknown zone.
 */
function readCrontabLine(text: string): CrontabLine {
  const [prefix = "", name] = /^\s*(?:CRON_TZ|TZ)=["']?([^\s"']+)["']?\s+/.exec(text) ?? [];
  if (name !== undefined && !isTimeZone(name))
    throw new DocumentFault(`The time zone ${name} is unknown.`, { index: text.indexOf(name) });
  const rest = " ".repeat(prefix.length) + text.slice(prefix.length);
  const [, expression = rest, command] = withCommand.exec(rest) ?? [];
  return {
    expression,
    ...(name !== undefined && { timeZone: name }),
    ...(command !== undefined && { command: command.trim() }),
  };
}
