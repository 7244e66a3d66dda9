import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";

/** The statement of a document about the licence of a package. */
export interface Statement {
  /** An expression or, in bills of materials, a name. */
  text: string;
  pointer: string;
}

export interface LicensedPackage {
  name: string;
  version: string | undefined;
  pointer: string;
  /** All of them apply; none is stated if it is empty. */
  statements: readonly Statement[];
  /** Whether it serves development alone. */
  development: boolean;
}

/** A document that lists packages, by the name that messages have for it. */
export interface PackageList {
  kind: "package.json" | "package-lock.json" | "CycloneDX" | "SPDX";
  packages: LicensedPackage[];
}

/** Why a document is no list of packages with licences. */
export interface NoPackages {
  /** Whether it is a list of packages, of a kind that has no licences. */
  isList: boolean;
  message: string;
}

export const textOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

export const membersOf = (value: Value | undefined): Dictionary =>
  value !== undefined && isDictionary(value) ? value : new Map<string, Value>();

export const itemsOf = (value: Value | undefined): readonly Value[] =>
  value !== undefined && isList(value) ? value : [];
