import { icon, type Markup, markup } from "./markup.ts";

interface Section {
  /** Names its navigation. */
  title: string;
  /** The pages by name, in the order of the navigation. page/<section>/<name>.tsx fills each. */
  pages: Readonly<Record<string, { title: string; lead: string; icon: string }>>;
}

/** The pages for people who are signed in, `/<section>/<page>`. */
export const sections: Readonly<Record<"settings" | "operator", Section>> = {
  settings: {
    title: "Settings",
    pages: {
      keys: {
        title: "API keys",
        icon: "crypto",
        lead: "Keys with which programs call this server in the name of your account.",
      },
      usage: {
        title: "Usage",
        icon: "usage",
        lead: "This hour as it comes, and 90 days.",
      },
      webhooks: {
        title: "Webhooks",
        icon: "webhooks",
        lead: "Signed requests that this server sends when something happens to your account.",
      },
      inboxes: {
        title: "Inboxes",
        icon: "inboxes",
        lead: "URLs at which your account receives the webhooks of others.",
      },
      events: {
        title: "Events",
        icon: "events",
        lead: "What happens to your account, as it happens. What happens while this page is closed is not shown later; webhooks receive all of it.",
      },
      sessions: {
        title: "Sessions",
        icon: "sessions",
        lead: "The browsers and programs that are signed in to your account.",
      },
    },
  },
  operator: {
    title: "Operator",
    pages: {
      accounts: { title: "Accounts", icon: "person", lead: "Everybody who has keys on this server." },
      audit: {
        title: "Audit trail",
        icon: "audit",
        lead: "Who changed what, when and from where, and the proof that nothing was removed.",
      },
      doctor: {
        title: "Doctor",
        icon: "doctor",
        lead: "What this server finds about its store, its configuration and its machine.",
      },
      configuration: {
        title: "Configuration",
        icon: "gear",
        lead: "The options in effect, and where each was set. Secrets are masked.",
      },
    },
  },
};

export type SectionName = keyof typeof sections;

/** Returns the title and the content of a page; undefined if there is none of that name. */
export function toSectionPage(
  section: SectionName,
  name: string,
): { title: string; main: Markup } | undefined {
  const { title, pages } = sections[section];
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return undefined;
  const main = markup`<aside><nav class="side" aria-label="${title}"><h2>${title}</h2><ul>
${Object.entries(pages).map(
  ([each, { title: text, icon: symbol }]) =>
    markup`<li><a href="./${each}"${each === name ? markup` aria-current="page"` : undefined}>${icon(symbol)} ${text}</a></li>\n`,
)}</ul></nav></aside>
<div class="page">
<div class="page-head"><h1>${page.title}</h1>
<p class="lead">${page.lead}</p></div>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
<div data-page="${section}-${name}"></div>
</div>`;
  return { title: page.title, main };
}
