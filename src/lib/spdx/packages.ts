import type { Dictionary, Value } from "../data/value.ts";
import { escapeToken } from "../json/pointer.ts";
import { readBill } from "./bill.ts";
import {
  itemsOf,
  type LicensedPackage,
  membersOf,
  type NoPackages,
  type PackageList,
  type Statement,
  textOf,
} from "./package-list.ts";

/** Lists the packages of a JSON document. */
export function readPackages(root: Value): PackageList | NoPackages {
  const document = membersOf(root);
  const bill = readBill(document);
  if (bill !== undefined) return bill;
  if (document.has("lockfileVersion")) return readLock(document);
  if (textOf(document.get("name")) !== undefined && !document.has("packages")) return readManifest(document);
  return {
    isList: false,
    message:
      "This JSON is no list of packages that is known: package.json, package-lock.json, CycloneDX and SPDX 2 are.",
  };
}

const advice =
  "List the installed packages as CycloneDX or SPDX (`npm sbom`, cdxgen, syft) and check that, or check a package-lock.json.";

/** Recognises lock files that are not JSON. None of them has licences. */
export function findLockFile(text: string): NoPackages | undefined {
  const begin = text.slice(0, 2000);
  const name = /^# yarn lockfile v1$|^__metadata:$/m.test(begin)
    ? "yarn.lock"
    : /^lockfileVersion: /m.test(begin)
      ? "pnpm-lock.yaml"
      : /^\[\[package\]\]$|^# This file is automatically @generated/m.test(begin)
        ? "A lock file in TOML"
        : undefined;
  return name === undefined
    ? undefined
    : { isList: true, message: `${name} has no licences, so nothing can be checked. ${advice}` };
}

/** A lock file of npm: since version 2 it has a member `packages`, with licences. */
function readLock(document: Dictionary): PackageList | NoPackages {
  const packages: LicensedPackage[] = [];
  for (const [path, value] of membersOf(document.get("packages"))) {
    const entry = membersOf(value);
    const from = path.lastIndexOf("node_modules/");
    // The project itself, its workspaces, and links to them are no dependencies.
    if (from < 0 || isTrue(entry.get("link"))) continue;
    const pointer = `/packages/${escapeToken(path)}`;
    packages.push({
      name: textOf(entry.get("name")) ?? path.slice(from + "node_modules/".length),
      version: textOf(entry.get("version")),
      pointer,
      statements: statementsOf(entry, pointer),
      development: isTrue(entry.get("dev")),
    });
  }
  const isOld = !document.has("packages");
  if (isOld || (packages.length > 0 && packages.every(({ statements }) => statements.length === 0)))
    return {
      isList: true,
      message: isOld
        ? "This lock file has no licences, because its version is 1. Write it anew with `npm install --lockfile-version 3 --package-lock-only`."
        : `This lock file has no licences. ${advice}`,
    };
  return { kind: "package-lock.json", packages };
}

const isTrue = (value: Value | undefined): boolean => value === true;

const readManifest = (document: Dictionary): PackageList => ({
  kind: "package.json",
  packages: [
    {
      name: textOf(document.get("name")) ?? "",
      version: textOf(document.get("version")),
      pointer: "",
      statements: statementsOf(document, ""),
      development: false,
    },
  ],
});

/** The licence of a package of npm: an expression, or the object or list of objects of old packages. */
function statementsOf(entry: Dictionary, pointer: string): Statement[] {
  const license = entry.get("license");
  const expression = textOf(license);
  if (expression !== undefined) return [{ text: expression, pointer: `${pointer}/license` }];
  const type = textOf(membersOf(license).get("type"));
  if (type !== undefined) return [{ text: type, pointer: `${pointer}/license/type` }];
  const types = itemsOf(entry.get("licenses")).flatMap((one) => textOf(membersOf(one).get("type")) ?? []);
  // npm's old documentation: the list is a choice.
  return types.length === 0 ? [] : [{ text: types.join(" OR "), pointer: `${pointer}/licenses` }];
}
