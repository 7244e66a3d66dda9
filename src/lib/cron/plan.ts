import { DocumentFault } from "../fault.ts";
import { describeCron, type DescribeOptions, tableOf } from "./describe.ts";
import { cronDialects } from "./field.ts";
import { readInterval } from "./interval.ts";
import { type CronExpression, parseCron } from "./parse.ts";
import { nextRuns, repeatedRuns, type ScheduleOptions } from "./schedule.ts";
import { fromSystemd } from "./systemd.ts";

export const scheduleDialects = [...cronDialects, "systemd"] as const;

export interface PlanOptions extends Omit<DescribeOptions, "bothDays">, Omit<ScheduleOptions, "bothDays"> {
  dialect: (typeof scheduleDialects)[number];
  seconds: boolean;
  days: "or" | "and";
}

export interface Plan {
  description: string;
  fields: ReturnType<typeof tableOf>;
  runs: string[];
}

/** Explains a schedule and lists its next runs. @throws DocumentFault */
export async function planSchedule(text: string, options: PlanOptions): Promise<Plan> {
  const interval = readInterval(text);
  if (interval !== undefined)
    return { description: interval.description, fields: [], runs: repeatedRuns(interval, options) };
  const { dialect, seconds, days } = options;
  const expression = dialect === "systemd" ? parseEvent(text) : parseCron(text, dialect, seconds);
  const bothDays = days === "and" || dialect === "systemd";
  const runs = nextRuns(expression, { ...options, bothDays });
  if (runs.length === 0)
    throw new DocumentFault("This expression never runs: no matching day follows that time.", { index: 0 });
  const description = await describeCron(expression, { ...options, bothDays });
  return { description, fields: tableOf(expression.fields), runs };
}

function parseEvent(text: string): CronExpression {
  const translated = fromSystemd(text);
  try {
    return parseCron(translated, "unix", true);
  } catch (error) {
    // Its place is in the translation.
    throw error instanceof DocumentFault ? new DocumentFault(error.message, { index: 0 }) : error;
  }
}
