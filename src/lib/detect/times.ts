import { readTime } from "../time/read.ts";
import { isTimeZone } from "../time/zone.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import { toSchedule } from "./schedules.ts";
import type { Sample } from "./sample.ts";

/** Dates and times in any usual notation: one, or a list. */
export function detectTime({ line, lines }: Sample): Guess[] {
  if (line === "") {
    const checked = lines.slice(0, 100);
    if (checked.length < 2 || shareOf(checked, (each) => formOf(each.trim()) !== undefined) < 0.9) return [];
    return [{ kind: "times", confidence: 0.93, reason: "Each line is a date or a time." }];
  }
  const named =
    /^["']?(?:date|expires|last-modified|iat|exp|nbf|auth_time|timestamp|time|created(?:_at)?|updated(?:_at)?)["']?\s*[:=]\s*/i.exec(
      line,
    )?.[0] ?? "";
  const value = line.slice(named.length);
  if (named !== "" && (formOf(value) !== undefined || /^\d{10}(?:\d{3}){0,3}$/.test(value)))
    return [
      {
        kind: "timestamp",
        confidence: 0.85,
        reason: "It is a time after its name.",
        part: { index: named.length, length: value.length },
      },
    ];
  const form = /^[^:]*$/.test(line) && toSchedule(line) !== undefined ? undefined : formOf(line);
  if (form === undefined) return [];
  if (form === "zoned") return ofZoned(line);
  const kind = form === "local" ? "local-time" : "time";
  return [{ kind, confidence: form === "weak" ? 0.7 : 0.95, reason: "It is a date or a time." }];
}

/** The zone is an option of one converter, and is read by the other. */
function ofZoned(line: string): Guess[] {
  const [, local = "", bracketed, named] =
    /^["']?(.*?)(?:\[([A-Za-z]+\/[\w/+-]+)\]|\s+([A-Za-z]+\/[\w/+-]+|[A-Z]{2,5}))["']?$/.exec(line) ?? [];
  const from = bracketed ?? named;
  const reason = "It is a time with the name of a zone.";
  return [
    {
      kind: "zoned-time",
      confidence: 0.95,
      reason,
      ...(from !== undefined && {
        options: { from },
        part: { index: line.indexOf(local), length: local.length },
      }),
    },
    { kind: "time", confidence: 0.9, reason },
  ];
}

type Form = "time" | "local" | "zoned" | "weak";

const options = { unit: "auto", epoch: 0n, timeZone: "UTC", dateOrder: "auto", now: 0 } as const;

function formOf(line: string): Form | undefined {
  const text = line.replaceAll(/^["'[(]+|["'\])]+$/g, "");
  if (text.length > 100 || !/\d|^noon |^midnight /.test(text))
    return /^(?:now|today|tomorrow|yesterday)$/i.test(text) ? "weak" : undefined;
  if (/\[[A-Za-z]+\/[\w/+-]+$|\[[A-Za-z]+\/[\w/+-]+\]/.test(line)) return "zoned";
  if (/^[\d.+-]+$/.test(text) && !/^\d{4}-\d\d-\d\d$/.test(text)) return formOfNumeric(text);
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/.test(text) && accepts(() => readTime(text, options)))
    return text.includes("T") ? "local" : "time";
  if (!/^[\da-f-]{24,}$/i.test(text) && !/^[\dA-Z]{26}$/.test(text) && accepts(() => readTime(text, options)))
    return "time";
  return formOfPieces(text);
}

/** 31.12.2025; a version and an address have other lengths. */
const formOfNumeric = (text: string): Form | undefined =>
  /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d$|^(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|1[0-2])-(?:19|20)\d\d$/.test(
    text,
  )
    ? "time"
    : undefined;

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?$/i;
const month = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?$/i;
const clock = /^\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:am|pm|z)?$|^\d{1,2}(?:am|pm)$|^noon$|^midnight$/i;
const date =
  /^(?:\d{4}[-/.:]\d{1,2}[-/.:]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)?\d\d|\d{1,2}[/-][A-Za-z]{3}[/-]\d{2,4}(?::\d\d:\d\d:\d\d)?|\d{4}-W\d\d(?:-\d)?|\d{8}(?:T?\d{4,6}Z?)?)$/;
const joined =
  /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[T_]\d{1,2}:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?$/i;
const offset = /^(?:(?:gmt|utc)?[+-]\d{1,2}(?::?\d\d)?|gmt|utc|z)$/i;
const abbreviation =
  /^(?:[ECMP][SD]T|CES?T|EES?T|WES?T|BST|JST|IST|MSK|AES?T|AEDT|SGT|HKT|KST|NZDT|NZST|[ECMP]T)$/;

/** Every word must be known, so that a sentence with a date is none. */
function formOfPieces(text: string): Form | undefined {
  const words = text
    .replace(/ \([A-Z][A-Za-z ]+\)?$/, "")
    .replaceAll(/[,()]|\b(?:at|in|on|of|the|to)\b/g, " ")
    .trim()
    .split(/\s+/);
  const has = { date: false, clock: false, month: false, number: 0, zone: false, offset: false };
  if (words.length > 9) return undefined;
  for (const word of words) {
    if (date.test(word)) has.date = true;
    else if (joined.test(word)) has.date = has.clock = true;
    else if (clock.test(word)) has.clock = true;
    else if (month.test(word)) has.month = true;
    else if (/^\d{1,2}(?:st|nd|rd|th|\.)?$|^(?:19|20)\d\d$/.test(word)) has.number++;
    else if (abbreviation.test(word) || (word.includes("/") && isTimeZone(word))) has.zone = true;
    else if (offset.test(word)) has.offset = true;
    else if (!weekday.test(word) && !/^(?:am|pm|[A-Z][a-z]+time)$/i.test(word)) return undefined;
  }
  const dated = has.date || (has.month && has.number > 0);
  if (has.zone && (dated || has.clock)) return "zoned";
  if (dated) return /^\d{8}$/.test(text) ? "weak" : "time";
  return has.clock && (has.offset || words.length > 1) ? "zoned" : has.clock ? "weak" : undefined;
}
