import { toOwnPage } from "../../../lib/own-page.ts";

/** Returns the address of the sign-in page, from which the person returns to this page. */
export function toSignIn(root: URL): string {
  const url = new URL("sign-in", root);
  const to = toOwnPage(location.pathname.slice(root.pathname.length));
  if (to !== undefined) url.searchParams.set("to", to);
  return url.href;
}
