import { toRules } from "./rule.ts";

const raw = String.raw;

/** Rules for keys of services for payment, mail, chat, monitoring and the like. */
export const serviceRules = toRules([
  ["stripe-key", "a Stripe secret key", "k_", raw`\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,247}`],
  ["webhook-secret", "a webhook signing secret", "whsec_", raw`\bwhsec_[A-Za-z0-9+/=]{24,120}`],
  ["square-token", "a Square token", "sq0", raw`\bsq0(?:atp|csp|idp)-[\w-]{22,60}`],
  ["shopify-token", "a Shopify token", "shp", raw`\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`],
  ["sendgrid-key", "a SendGrid key", "SG.", raw`\bSG\.[\w-]{22}\.[\w-]{43}`],
  ["mailgun-key", "a Mailgun key", "key-", raw`\bkey-[a-f0-9]{32}\b`],
  ["mailchimp-key", "a Mailchimp key", "-us", raw`\b[a-f0-9]{32}-us\d{1,2}\b`],
  ["brevo-key", "a Brevo key", "xkeysib-", raw`\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b`],
  ["twilio-key", "a Twilio API key", "SK", raw`\bSK[a-f0-9]{32}\b`],
  ["slack-token", "a Slack token", "xox", raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,250}`],
  ["slack-app-token", "a Slack app token", "xapp-", raw`\bxapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-f0-9]{64}\b`],
  [
    "slack-webhook",
    "a Slack webhook",
    "hooks.slack.com",
    raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w+/]{20,120}`,
  ],
  [
    "discord-webhook",
    "a Discord webhook",
    "/api/webhooks/",
    raw`discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}`,
  ],
  ["discord-token", "a Discord bot token", ".", raw`\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}`],
  [
    "teams-webhook",
    "a Microsoft Teams webhook",
    ".webhook.office.com",
    raw`\.webhook\.office\.com/webhookb2/[\w@-]{60,100}/IncomingWebhook/[\w/-]{40,120}`,
  ],
  ["telegram-token", "a Telegram bot token", ":AA", raw`\b\d{8,10}:AA[\w-]{33}`],
  ["grafana-token", "a Grafana token", "gl", raw`\bgl(?:sa|c)_[\w+/=-]{32,400}`],
  ["new-relic-key", "a New Relic key", "NRAK-", raw`\bNRAK-[A-Z0-9]{27}\b`],
  ["sentry-token", "a Sentry token", "sntry", raw`\bsntry[su]_[\w+/=-]{40,400}`],
  ["linear-key", "a Linear key", "lin_api_", raw`\blin_api_[A-Za-z0-9]{40}\b`],
  ["notion-token", "a Notion token", "_", raw`\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{46})\b`],
  ["postman-key", "a Postman key", "PMAK-", raw`\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b`],
  ["figma-token", "a Figma token", "fig", raw`\bfig[dou]_[\w-]{40,100}`],
  ["doppler-token", "a Doppler token", "dp.", raw`\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,80}`],
  ["onepassword-token", "a 1Password service token", "ops_", raw`\bops_eyJ[\w+/-]{200,1000}={0,2}`],
  ["penknife-key", "a penknife key", "svc_live_", raw`\bsvc_live_[A-Za-z0-9]{38}\b`],
  ["age-key", "an age secret key", "AGE-SECRET-KEY-", raw`\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b`],
]);
