import { type Context, hasVariable, shorten, type StageState } from "../context.ts";
import type { Instruction } from "../read.ts";
import { splitWords } from "../words.ts";
import type { Archives } from "./stage.ts";

const archive = /\.(?:tar|tgz|tbz2?|txz|tzst|tar\.(?:gz|bz2|xz|zst|lz4?|Z)|t[gbx]z)$/i;

/** ADD and COPY: what they copy, and where to. */
export function checkCopy(
  instruction: Instruction,
  { state, archives }: { state: StageState; archives: Archives },
  { file, report }: Context,
): void {
  const { keyword, index, rest, exec, heredocs, flags } = instruction;
  const paths = exec ?? splitWords(rest.text, file.escape).map(({ value }) => value);
  const target = paths.at(-1) ?? "";
  const sources = paths.slice(0, -1);
  if (sources.length === 0) return;
  if (keyword === "ADD") checkAdd(instruction, sources, { report });
  if (sources.length > 1 && !hasVariable(target) && !/[\\/]$/.test(target) && !/^\.{1,2}$/.test(target))
    report(
      "copy-destination",
      index,
      `${keyword} of several sources must have a folder as its destination; end ${shorten(target)} with /.`,
      { severity: "error" },
    );
  if (keyword !== "COPY") return;
  if (!state.hasWorkdir && !/^(?:\/|\\|[A-Za-z]:|\$|%)/.test(target))
    report(
      "copy-relative",
      index,
      `${shorten(target)} is relative to the folder of the image, which may change; write an absolute path, or WORKDIR above.`,
    );
  const isLocal = !flags.some(({ name }) => name === "from") && heredocs.length === 0;
  if (isLocal)
    for (const path of sources)
      if (archive.test(path))
        archives.set(fileOf(/[\\/]$/.test(target) || !archive.test(target) ? path : target), { index });
}

function checkAdd(
  { index, flags, heredocs }: Instruction,
  sources: readonly string[],
  { report }: Pick<Context, "report">,
): void {
  if (heredocs.length > 0 || flags.some(({ name }) => name === "unpack" || name === "checksum")) return;
  const [local] = sources.filter(
    (path) => !/^(?:[a-z][a-z\d+.-]*:\/\/|git@)/i.test(path) && !archive.test(path) && !hasVariable(path),
  );
  if (local !== undefined)
    report(
      "add-local",
      index,
      `Use COPY for ${shorten(local)}: ADD is for archives, which it extracts, and for addresses.`,
    );
}

export const fileOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/** EXPOSE: numbers and protocols. */
export function checkPorts({ rest }: Instruction, { file, report }: Context): void {
  for (const { value, at } of splitWords(rest.text, file.escape)) {
    if (hasVariable(value)) continue;
    const fail = (message: string): void => report("port", rest.indexAt(at), message, { severity: "error" });
    if (value.includes(":")) {
      fail(`EXPOSE names the port in the container alone; publish it by docker run -p ${shorten(value)}.`);
      continue;
    }
    const [, first, last, protocol] = /^(\d{1,9})(?:-(\d{1,9}))?(?:\/(\w*))?$/.exec(value) ?? [];
    if (first === undefined)
      fail(`${shorten(value)} is no port; write a number or a range, such as 8080/tcp.`);
    else if (Number(first) > 65_535 || Number(last ?? 0) > 65_535) fail("A port must be 0 to 65535.");
    else if (last !== undefined && Number(last) < Number(first))
      fail(`${shorten(value)} is a range that ends before it begins.`);
    else if (protocol !== undefined && !/^(?:tcp|udp|sctp)$/i.test(protocol))
      fail(`The protocol of a port must be tcp, udp or sctp, not ${shorten(protocol)}.`);
  }
}
