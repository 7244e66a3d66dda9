import { isDictionary } from "../data/value.ts";
import { type At, child, items, quote } from "../kubernetes/at.ts";
import type { Project } from "./project.ts";
import { checkDefined } from "./references.ts";

const modes = new Set([
  "ro", "rw", "z", "Z", "cached", "delegated", "consistent", "nocopy", "copy", "noexec",
  "shared", "rshared", "slave", "rslave", "private", "rprivate", "U",
]); // prettier-ignore

interface Mount {
  /** A path of the host, or the name of a volume. */
  source: string;
  target: string;
  at: At;
}

/** The volumes of a service: their forms, the volumes that they name, and targets that two of them have. */
export function checkMounts(service: At, project: Project): void {
  const { report, textAt } = project;
  const targets = new Set<string>();
  for (const at of items(child(service, "volumes"))) {
    const mount = isDictionary(at.value ?? null) ? readLong(at, project) : readShort(at, textAt(at), project);
    if (mount === undefined) continue;
    if (isName(mount.source)) checkDefined("volumes", mount.source, mount.at, project);
    const target = mount.target.replace(/(?<=.)\/$/, "");
    if (target === "") continue;
    if (targets.has(target))
      report("volume", at, `Two volumes of the service have the target ${quote(target)}.`);
    targets.add(target);
  }
}

/** A name of a volume, and no path of Linux or Windows. */
const isName = (source: string): boolean => source !== "" && !/^(?:[./~\\]|[A-Za-z]:)|[/\\]/.test(source);

function readShort(at: At, text: string | undefined, { report }: Project): Mount | undefined {
  if (text === undefined) return undefined;
  const fail = (message: string): undefined => void report("volume", at, message);
  // One letter is a drive of Windows, for Compose too.
  const parts = text.slice(0, 4096).split(/(?<!(?:^|:)[A-Za-z]):/);
  if (text === "" || parts.length > 3)
    return fail(`${quote(text)} is no volume; write SOURCE:TARGET or SOURCE:TARGET:ro.`);
  const [source = "", target, mode] = parts;
  if (target === undefined) return { source: "", target: source, at };
  if (source === "" || target === "")
    return fail(`${quote(text)} lacks its ${source === "" ? "source" : "target"}; write SOURCE:TARGET.`);
  for (const one of mode?.split(",") ?? [])
    if (!modes.has(one)) return fail(`${quote(one)} is no option of a volume; the commonest are ro and rw.`);
  if (!/^(?:[/\\~$]|[A-Za-z]:)/.test(target))
    return fail(`The target ${quote(target)} must be an absolute path in the container.`);
  return { source, target, at };
}

function readLong(at: At, { report, textAt }: Project): Mount | undefined {
  const type = textAt(child(at, "type"));
  const source = child(at, "source");
  const target = child(at, "target");
  if (target.value === undefined)
    return void report("volume", at, "A volume in the long form must have target, a path in the container.");
  if (source.value === undefined && (type === "bind" || type === "npipe" || type === "image"))
    return void report("volume", at, `A volume of the type ${type} must have source.`);
  if (source.value !== undefined && type === "tmpfs")
    report("volume", source, "A volume of the type tmpfs has no source.");
  for (const key of ["bind", "volume", "tmpfs", "image"])
    if (type !== undefined && type !== key && child(at, key).value !== undefined)
      report(
        "volume",
        child(at, key),
        `${key} is for volumes of the type ${key}, and this one has ${quote(type)}.`,
        "warning",
      );
  const name = type === "volume" ? textAt(source) : undefined;
  return { source: name ?? "", target: textAt(target) ?? "", at: source };
}
