/** Returns whose webhook has such a body: the providers whose signatures we verify, by the members that they always send. */
export function findWebhook(body: Readonly<Record<string, unknown>>): string | undefined {
  const has = (...names: string[]): boolean => names.every((name) => Object.hasOwn(body, name));
  const is = (name: string, pattern: RegExp): boolean =>
    typeof body[name] === "string" && pattern.test(body[name]);
  if (has("repository") && (has("sender") || has("pusher") || has("action") || has("hook_id") || has("ref")))
    return "GitHub";
  if (has("installation", "sender") || has("zen", "hook")) return "GitHub";
  if (has("object_kind") || is("event_name", /^(?:push|tag_push|project_\w+|user_\w+|repository_update)$/))
    return "GitLab";
  if (is("object", /^event$/) || is("id", /^evt_/)) return "Stripe";
  if (
    is("type", /^(?:event_callback|url_verification|block_actions|view_submission)$/) ||
    has("team_id", "event")
  )
    return "Slack";
  if (is("type", /^[a-z][\w-]*(?:\.[\w-]+)+$/) && has("data")) return "the Standard Webhooks form";
  return undefined;
}
