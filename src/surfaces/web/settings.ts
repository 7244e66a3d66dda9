import { type Markup, markup } from "./markup.ts";

/** The pages below `/settings/`, in the order of their navigation. page/settings/<name>.tsx fills each. */
const pages: Readonly<Record<string, { title: string; lead: string }>> = {
  keys: { title: "API keys", lead: "Keys with which programs call this server in the name of your account." },
  usage: { title: "Usage", lead: "The requests of your account: of this hour as they come, and of 90 days." },
  webhooks: {
    title: "Webhooks",
    lead: "Signed requests that this server sends when something happens to your account.",
  },
  inboxes: { title: "Inboxes", lead: "URLs at which your account receives the webhooks of others." },
  events: {
    title: "Events",
    lead: "What happens to your account, as it happens. Webhooks receive all of it, also while this page is closed.",
  },
  sessions: { title: "Sessions", lead: "The browsers and programs that are signed in to your account." },
};

/** Returns the title and the content of a page; undefined if there is none of that name. */
export function toSettings(name: string): { title: string; main: Markup } | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return undefined;
  const main = markup`<nav class="tabs" aria-label="Settings"><ul>
${Object.entries(pages).map(
  ([each, { title }]) =>
    markup`<li><a href="./${each}"${each === name ? markup` aria-current="page"` : undefined}>${title}</a></li>\n`,
)}</ul></nav>
<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
<noscript><p class="notice">The settings need JavaScript.</p></noscript>
<div data-page="settings-${name}"></div>`;
  return { title: page.title, main };
}
