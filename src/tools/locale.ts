import { invalidField } from "../catalog/input.ts";

/** @throws ToolError invalid_input if the field `locale` is no language tag. */
export function checkLocale(locale: string | undefined): void {
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    throw invalidField("locale", "Must be a BCP 47 language tag, such as en or pt-BR.");
  }
}
