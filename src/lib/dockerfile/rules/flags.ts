import { joinWords } from "../../join-words.ts";
import { nearest } from "../../nearest.ts";
import { hasVariable, type Report, shorten } from "../context.ts";
import type { Flag, Instruction } from "../read.ts";

/** The flags of each instruction; others have none. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  ADD: ["chmod", "checksum", "chown", "exclude", "keep-git-dir", "link", "unpack"],
  COPY: ["chmod", "chown", "exclude", "from", "link", "parents"],
  FROM: ["platform"],
  HEALTHCHECK: ["interval", "retries", "start-interval", "start-period", "timeout"],
  RUN: ["device", "mount", "network", "security"],
};

/** Flags that need no value. */
const switches = new Set(["keep-git-dir", "link", "parents", "unpack"]);

const mountTypes = ["bind", "cache", "secret", "ssh", "tmpfs"];

const mountKeys = [
  "destination",
  "dst",
  "env",
  "from",
  "gid",
  "id",
  "mode",
  "readonly",
  "readwrite",
  "required",
  "ro",
  "rw",
  "sharing",
  "size",
  "source",
  "src",
  "target",
  "type",
  "uid",
];

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  network: ["default", "host", "none"],
  security: ["insecure", "sandbox"],
};

/** Flags that the instruction does not have, and values that a build refuses. */
export function checkFlags({ keyword, flags }: Instruction, report: Report): void {
  const known = flagsOf[keyword] ?? [];
  const fail = (flag: Flag, message: string): void =>
    report("flag", flag.index, message, { severity: "error" });
  for (const flag of flags) {
    const { name, value } = flag;
    if (!known.includes(name)) {
      const near = nearest(name, known);
      const advice =
        near !== undefined
          ? `Did you mean --${near}?`
          : known.length === 0
            ? "It has no flags."
            : `Its flags are ${joinWords(
                known.map((one) => `--${one}`),
                "and",
              )}.`;
      fail(flag, `--${shorten(name)} is not a flag of ${keyword}. ${advice}`);
    } else if ((value === undefined || value === "") && !switches.has(name))
      fail(flag, `--${name} must have a value: --${name}=value.`);
    else if (value !== undefined && !hasVariable(value)) checkValue(flag, value, fail);
  }
}

const duration = /^(?:0|(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+)$/;

function checkValue(flag: Flag, value: string, fail: (flag: Flag, message: string) => void): void {
  const { name } = flag;
  if (switches.has(name)) {
    if (!/^(?:true|false|1|0|t|f)$/i.test(value)) fail(flag, `--${name} must be true or false.`);
  } else if (name === "mount") checkMount(flag, value, fail);
  else if (name === "retries") {
    if (!/^\d{1,9}$/.test(value)) fail(flag, "--retries must be a whole number.");
  } else if (/^(?:interval|timeout|start-period|start-interval)$/.test(name)) {
    if (value.length > 64 || !duration.test(value))
      fail(flag, `--${name} must be a duration, such as 30s or 1m30s.`);
  } else if (valuesOf[name]?.includes(value) === false)
    fail(flag, `--${name} must be ${joinWords(valuesOf[name] ?? [])}.`);
}

function checkMount(flag: Flag, value: string, fail: (flag: Flag, message: string) => void): void {
  for (const part of value.split(",")) {
    const equals = part.indexOf("=");
    const key = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (!mountKeys.includes(key)) {
      const near = nearest(key, mountKeys);
      return fail(
        flag,
        `${shorten(key) || "An empty text"} is not an option of --mount.${near === undefined ? "" : ` Did you mean ${near}?`}`,
      );
    }
    if (key === "type" && !mountTypes.includes(part.slice(equals + 1)))
      return fail(flag, `The type of --mount must be ${joinWords(mountTypes)}.`);
    if (key === "sharing" && !/^(?:shared|private|locked)$/.test(part.slice(equals + 1)))
      return fail(flag, "sharing of --mount must be shared, private or locked.");
  }
}

/** Whether a RUN mounts a cache or a temporary file system over a path, or over a folder that contains it. */
export const isMounted = ({ flags }: Instruction, path: RegExp): boolean =>
  flags.some(
    ({ name, value = "" }) =>
      name === "mount" &&
      /(?:^|,)type=(?:cache|tmpfs)/.test(value) &&
      path.test(/(?:^|,)(?:target|dst|destination)=([^,]*)/.exec(value)?.[1] ?? ""),
  );
