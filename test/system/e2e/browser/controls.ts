import type { Page } from "./browser.ts";

/** Chooses an item of the menu of a row, or of another part of a page, by the names of both. */
export async function pick(page: Page, of: string, item: string): Promise<void> {
  await page
    .getByRole("button", { name: `More for ${of}` })
    .first()
    .click();
  await page.getByRole("menuitem", { name: item }).first().click();
}

/** Says in the dialog of a secret that it is stored, and closes it. */
export async function store(page: Page): Promise<void> {
  await page.locator("dialog .secret").waitFor();
  await page.locator("dialog footer input[type=checkbox]").click();
  await page.locator("dialog footer").getByRole("button", { name: "Close" }).click();
}

/** Chooses one of a row of values. */
export const choose = (page: Page, label: string, value: string): Promise<void> =>
  page
    .locator(`[role=radiogroup][aria-label='${label}']`)
    .getByRole("radio", { name: value, exact: true })
    .click();
