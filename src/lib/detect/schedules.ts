import { type CronDialect, cronDialects } from "../cron/field.ts";
import { parseCron } from "../cron/parse.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import type { Sample } from "./sample.ts";

type Options = { dialect?: CronDialect | "systemd"; seconds?: boolean };

/** Cron expressions: alone, wrapped, or lines of a crontab. */
export function detectCron({ line, lines, text }: Sample): Guess[] {
  const prefix = /^(?:-? *(?:cron|schedule|OnCalendar) ?[:=] *)?["']?/.exec(line)?.[0].length ?? 0;
  const alone = line.slice(prefix).replace(/["']$/, "").trim();
  const part = { index: prefix, length: alone.length };
  const add = (confidence: number, reason: string, options: Options = {}): Guess[] => [
    {
      kind: "cron",
      confidence,
      reason,
      options,
      ...(part.length < text.length && part.length > 0 && { part }),
    },
  ];
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/i.test(alone))
    return add(0.96, "It is a nickname of cron.");
  if (/^@(?:reboot|every \S+)$/i.test(alone))
    return add(0.88, "It is a nickname of some implementations of cron.");
  if (/^cron\([^()]{1,200}\)$/.test(alone)) return add(0.96, "It is a schedule of AWS.", { dialect: "aws" });
  if (/^(?:rate|at)\([^()]{1,200}\)$/.test(alone)) return add(0.88, "It is a rate of AWS.");
  const options = toSchedule(alone);
  if (options !== undefined)
    return add(
      /[*?]/.test(alone) ? 0.97 : /[A-Z,/-]/.test(alone) ? 0.93 : 0.75,
      "It is a cron expression.",
      options,
    );
  if (calendar.test(alone) && alone.includes("*"))
    return add(0.88, "It is a calendar event of systemd.", { dialect: "systemd" });
  const content = lines.filter((each) => !/^\s*#|^\s*[A-Z_]+\s*=/.test(each));
  if (content.length === 0 || shareOf(content, (each) => headOf(each) !== undefined) < 0.7) return [];
  const first = content.map(headOf).find((head) => head !== undefined) ?? "";
  const reason = "Its lines begin with cron expressions, as those of a crontab.";
  return [
    { kind: "cron", confidence: 0.96, reason, part: { index: text.indexOf(first), length: first.length } },
  ];
}

const calendar =
  /^(?:[A-Z][a-z]{2}(?:(?:\.\.|,)[A-Z][a-z]{2})* )?[\d*.,/]+-[\d*.,/]+-[\d*.,/]+(?: [\d*.,/]+:[\d*.,/:]+)?$/;

/** The expression at the start of a line of a crontab. */
function headOf(line: string): string | undefined {
  const nickname = /^@(?:daily|hourly|weekly|monthly|yearly|midnight)(?= +\S|$)/.exec(line)?.[0];
  if (nickname !== undefined) return nickname;
  const head = /^\s*(?:\S+\s+){4}\S+/.exec(line)?.[0].trim() ?? "";
  return toSchedule(head) !== undefined && /[*\d]/.test(head.slice(0, 3)) ? head : undefined;
}

/** Returns the options with which an expression is valid. */
export function toSchedule(text: string): Options | undefined {
  if (text.length > 200 || !/^[\d*?H@][\dA-Za-z*?,/#LW() \t-]*$/.test(text)) return undefined;
  // H is a number that Jenkins chooses.
  const plain = text.replaceAll(/\bH(?:\(\d+-\d+\))?(?=[\s/]|$)/g, "*");
  const count = plain.split(/\s+/).length;
  if (count < 5 || count > 7) return undefined;
  for (const dialect of cronDialects) {
    const seconds = dialect === "unix" && count > 5;
    if (accepts(() => parseCron(plain, dialect, seconds)))
      return { ...(dialect !== "unix" && { dialect }), ...(seconds && { seconds }) };
  }
  return undefined;
}
