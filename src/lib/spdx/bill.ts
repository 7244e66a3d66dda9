import type { Dictionary, Value } from "../data/value.ts";
import {
  itemsOf,
  type LicensedPackage,
  membersOf,
  type NoPackages,
  type PackageList,
  type Statement,
  textOf,
} from "./package-list.ts";

/** Reads a bill of materials (SBOM); undefined if the document is none. */
export function readBill(document: Dictionary): PackageList | NoPackages | undefined {
  if (document.get("bomFormat") === "CycloneDX")
    return { kind: "CycloneDX", packages: readComponents(document) };
  if (document.has("spdxVersion")) return { kind: "SPDX", packages: readSpdx(document) };
  const context = textOf(document.get("@context"));
  if (context === undefined || !/spdx/.test(context)) return undefined;
  return { isList: false, message: "SPDX 3 is not supported; write the document as SPDX 2.3 or CycloneDX." };
}

/** Components of CycloneDX 1.2 to 1.7, at any depth. `metadata.component` is the project itself. */
function readComponents(document: Dictionary): LicensedPackage[] {
  const packages: LicensedPackage[] = [];
  const waiting: [Value, string][] = [];
  const queue = (value: Value | undefined, pointer: string): void => {
    for (const [index, one] of [...itemsOf(value).entries()].toReversed())
      waiting.push([one, `${pointer}/${index}`]);
  };
  queue(document.get("components"), "/components");
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, pointer] = next;
    const component = membersOf(value);
    queue(component.get("components"), `${pointer}/components`);
    // Files and the machine's devices are no packages.
    if (/^(?:file|device|data|device-driver)$/.test(textOf(component.get("type")) ?? "")) continue;
    const group = textOf(component.get("group"));
    const name = textOf(component.get("name")) ?? "";
    packages.push({
      name: group === undefined ? name : `${group}/${name}`,
      version: textOf(component.get("version")),
      pointer,
      statements: readChoices(component, pointer),
      development: textOf(component.get("scope")) === "excluded" || isForDevelopment(component),
    });
  }
  return packages;
}

/** The property by which programs for npm mark what serves development. */
const isForDevelopment = (component: Dictionary): boolean =>
  itemsOf(component.get("properties")).some((one) => {
    const property = membersOf(one);
    return property.get("name") === "cdx:npm:package:development" && property.get("value") === "true";
  });

/** Licences of a component: what somebody has concluded replaces what the package declares. */
function readChoices(component: Dictionary, pointer: string): Statement[] {
  const all = itemsOf(component.get("licenses")).flatMap((one, index) => {
    const choice = membersOf(one);
    const license = membersOf(choice.get("license"));
    const at = `${pointer}/licenses/${index}`;
    const statements: [text: string | undefined, pointer: string][] = [
      [textOf(choice.get("expression")), `${at}/expression`],
      [textOf(license.get("id")), `${at}/license/id`],
      [textOf(license.get("name")), `${at}/license/name`],
    ];
    const found = statements.find(([text]) => text !== undefined);
    if (found?.[0] === undefined) return [];
    const acknowledgement = choice.get("acknowledgement") ?? license.get("acknowledgement");
    return [{ text: found[0], pointer: found[1], isConcluded: acknowledgement === "concluded" }];
  });
  const concluded = all.filter(({ isConcluded }) => isConcluded);
  return (concluded.length > 0 ? concluded : all).map(({ text, pointer: at }) => ({ text, pointer: at }));
}

/** Packages of SPDX 2.2 and 2.3. What the document describes is the project itself, unless there is nothing else. */
function readSpdx(document: Dictionary): LicensedPackage[] {
  const described = new Set(itemsOf(document.get("documentDescribes")));
  for (const one of itemsOf(document.get("relationships"))) {
    const relationship = membersOf(one);
    if (relationship.get("relationshipType") === "DESCRIBES")
      described.add(relationship.get("relatedSpdxElement") ?? null);
  }
  const all = itemsOf(document.get("packages")).map((value, index) => {
    const one = membersOf(value);
    const pointer = `/packages/${index}`;
    const found: LicensedPackage = {
      name: textOf(one.get("name")) ?? "",
      version: textOf(one.get("versionInfo")),
      pointer,
      statements: readConclusion(one, pointer),
      development: false,
    };
    return { found, isProject: described.has(one.get("SPDXID") ?? null) };
  });
  const others = all.filter(({ isProject }) => !isProject);
  return (others.length > 0 ? others : all).map(({ found }) => found);
}

/** The licence that was concluded or, without a conclusion, the declared one. */
function readConclusion(one: Dictionary, pointer: string): Statement[] {
  for (const field of ["licenseConcluded", "licenseDeclared"]) {
    const text = textOf(one.get(field));
    if (text !== undefined && text !== "NOASSERTION") return [{ text, pointer: `${pointer}/${field}` }];
  }
  return [];
}
