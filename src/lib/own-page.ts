/**
 * Returns a path of a page of this server, below the home page, as a link to the sign-in page names it in its parameter `to`;
 * undefined for everything else. Whoever writes a link chooses the path, so it must not lead to another site.
 */
export const toOwnPage = (path: string | null): string | undefined =>
  path !== null && form.test(path) ? path : undefined;

const form = /^(?:(?:settings|operator|tools)\/[a-z\d-]{1,80}|pipelines|tools|api)$/;

/** Reports whether a page is of use to the operator, whose session has no account, or to the owner of an account. */
export const isFor = (path: string, isOperator: boolean): boolean =>
  !path.startsWith(isOperator ? "settings/" : "operator/");
