import { DocumentFault } from "../fault.ts";
import { isTimeZone } from "../time/zone.ts";

export interface CrontabLine {
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
export function readCrontabLine(text: string): CrontabLine {
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
