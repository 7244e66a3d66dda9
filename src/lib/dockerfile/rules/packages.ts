import { joinWords } from "../../join-words.ts";
import { hasVariable, type Report, shorten, type StageState } from "../context.ts";
import type { Instruction } from "../read.ts";
import type { Command, Shell } from "../shell-words.ts";
import { isMounted } from "./flags.ts";
import { type Call, type Installer, toCall } from "./installers.ts";

interface Here {
  instruction: Instruction;
  state: StageState;
  /** Whether the layer is in the image. */
  isShipped: boolean;
  /** Returns the place in the document of one in the script. */
  indexAt(at: number): number;
  report: Report;
}

/** Most packages that a message names. */
const maxNamed = 5;

/** Programs that install packages: versions, questions, and what they leave behind. */
export function checkPackages({ commands }: Pick<Shell, "commands">, here: Here): void {
  const calls = commands.flatMap((command) => toCall(command) ?? []);
  if (calls.length === 0) return;
  for (const call of calls) {
    if (!call.installer.installs.includes(call.sub)) checkUpgrade(call, here);
    else if (call.command.name !== "apt") checkInstall(call, here);
  }
  checkUpdate(calls, here);
  if (!here.isShipped) return;
  const seen = new Set<Installer>();
  for (const call of calls) {
    if (seen.has(call.installer) || !leavesCache(call)) continue;
    seen.add(call.installer);
    checkCache(call, calls, commands, here);
  }
}

function checkInstall(call: Call, { state, indexAt, report }: Here): void {
  const { installer, command, options, operands } = call;
  const index = indexAt(command.at);
  if (
    installer.yes !== undefined &&
    !options.some((option) => installer.yes?.pattern.test(option)) &&
    !isAssumed(options)
  )
    report(
      "package-yes",
      index,
      `${command.name} asks before it installs, and nobody answers in a build; add ${installer.yes.option}.`,
      { code: installer.yes.code },
    );
  if (
    command.name === "apt-get" &&
    !state.noRecommends &&
    !options.some((option) => noRecommends.test(option))
  )
    report(
      "package-recommends",
      index,
      "apt-get also installs recommended packages, which the program does without; add --no-install-recommends.",
    );
  const isListed =
    installer.title === "pip" &&
    options.some((option) => /^(?:-r|-c|--requirement|--constraint)/.test(option));
  const hasVersion = installer.title === "gem" && options.some((option) => /^(?:-v|--version)/.test(option));
  if (isListed || hasVersion) return;
  const loose = operands.filter(
    ({ value }) => value !== "" && !hasVariable(value) && !installer.isPinned(value),
  );
  if (loose.length === 0) return;
  const named = loose.slice(0, maxNamed).map(({ value }) => shorten(value));
  const shown = loose.length > maxNamed ? [...named, `${loose.length - maxNamed} more`] : named;
  report(
    "package-pin",
    index,
    `${joinWords(shown, "and")} may have another version in the next build; name it for ${command.name}: ${installer.pinned}.`,
    { code: installer.pinCode },
  );
}

export const noRecommends = /^--no-install-recommends$|Install-Recommends[\s=]+["']?(?:false|0|no)/i;

const isAssumed = (options: readonly string[]): boolean =>
  options.some((option) => /Assume-Yes[\s=]+["']?(?:true|1|yes)/i.test(option));

function checkUpgrade({ installer, command, sub }: Call, { indexAt, report }: Here): void {
  const isUpgrade =
    (installer.title === "apt-get" && /^(?:dist|full)-upgrade$/.test(sub)) ||
    (installer.title === "zypper" && /^(?:dist-upgrade|dup)$/.test(sub));
  if (isUpgrade)
    report(
      "package-upgrade",
      indexAt(command.at),
      `${command.name} ${sub} makes another system of the image; begin with an image of the newer release.`,
      { code: installer.title === "zypper" ? "DL3035" : "DL3005" },
    );
}

/** A list of packages in a layer of its own is kept by the cache of builds, and old when packages are installed later. */
function checkUpdate(calls: readonly Call[], { indexAt, report }: Here): void {
  const apt = calls.filter(({ installer }) => installer.title === "apt-get");
  const [first] = apt;
  if (first !== undefined && apt.every(({ sub }) => sub === "update"))
    report(
      "package-update-alone",
      indexAt(first.command.at),
      `The cache of builds keeps what ${first.command.name} update has fetched; put it into the RUN that installs.`,
    );
}

function leavesCache({ installer, sub, operands, options }: Call): boolean {
  if (installer.cache === undefined) return false;
  if (installer.title === "apt-get") return sub === "update";
  if (installer.title !== "yarn") return installer.installs.includes(sub);
  return sub === "" ? !options.some((option) => /^-{1,2}v/.test(option)) : sub === "global" ? operands[0]?.value === "add" : installer.installs.includes(sub); // prettier-ignore
}

function checkCache(call: Call, calls: readonly Call[], commands: readonly Command[], here: Here): void {
  const { installer, command } = call;
  const { cache } = installer;
  if (cache === undefined || isMounted(here.instruction, cache.path)) return;
  const mine = calls.filter((one) => one.installer === installer);
  const { option } = cache;
  if (option !== undefined && mine.every((one) => !installer.installs.includes(one.sub) || one.options.some((given) => option.test(given)))) return; // prettier-ignore
  if (mine.some(({ sub }) => cache.cleans.includes(sub))) return;
  const isRemoved = commands.some(
    ({ name, args }) =>
      (name === "rm" || name === "find") && args.some(({ value }) => cache.path.test(value)),
  );
  if (isRemoved || (installer.title === "pip" && isPipCacheOff(command, here.state))) return;
  here.report(
    "package-cache",
    here.indexAt(command.at),
    `What ${command.name} has fetched stays in the layer; add ${cache.advice} to this RUN.`,
    { code: cache.code },
  );
}

function isPipCacheOff({ assigned }: Command, { variables }: StageState): boolean {
  const given = assigned
    .find((one) => one.startsWith("PIP_NO_CACHE_DIR="))
    ?.slice("PIP_NO_CACHE_DIR=".length);
  const value = given ?? variables.get("PIP_NO_CACHE_DIR");
  // Any value but these, "off" included, switches the cache off since pip 19.
  return value !== undefined && value !== "" && !/^(?:0|false|no)$/i.test(value);
}
