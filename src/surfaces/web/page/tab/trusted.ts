/** Trusted Types, which not all browsers have. The policy of the pages allows one policy, of this name. */
interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const rules = {
  createScriptURL(url: string): string {
    const { origin, pathname } = new URL(url, location.href);
    if (origin !== location.origin || !/\/web\/tab-loader-[\w-]+\.js$/.test(pathname))
      throw new TypeError("This is no worker of penknife");
    return url;
  },
};

const policy =
  (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy("penknife", rules) ?? rules;

/** Allows the URL of the worker that runs tools, and no other. */
export const toWorkerUrl = (url: URL): string => policy.createScriptURL(url.href);
