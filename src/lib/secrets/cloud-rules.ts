import { toRules } from "./rule.ts";

const raw = String.raw;

/** Rules for keys of clouds, registries, source forges and language models. */
export const cloudRules = toRules([
  ["aws-access-key", "an AWS access key ID", "A", raw`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`],
  [
    "aws-secret-key",
    "an AWS secret access key",
    "ecret",
    raw`(?i:aws[\w-]{0,20}secret[\w-]{0,20})["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40})\b`,
  ],
  ["google-api-key", "a Google API key", "AIza", raw`\bAIza[\w-]{35}`],
  ["google-client-secret", "a Google OAuth client secret", "GOCSPX-", raw`\bGOCSPX-[\w-]{28}`],
  ["google-access-token", "a Google access token", "ya29.", raw`\bya29\.[\w-]{20,400}`],
  ["azure-storage-key", "an Azure storage key", "AccountKey=", raw`\bAccountKey=([A-Za-z0-9/+]{86}==)`],
  ["azure-client-secret", "an Azure client secret", "Q~", raw`\b[\w.~-]{3}\dQ~[\w.~-]{31,34}`],
  ["digitalocean-token", "a DigitalOcean token", "_v1_", raw`\bdo[opr]_v1_[a-f0-9]{64}\b`],
  ["heroku-key", "a Heroku API key", "HRKU-", raw`\bHRKU-AA[\w-]{58}`],
  ["cloudflare-ca-key", "a Cloudflare origin CA key", "v1.0-", raw`\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b`],
  ["fly-token", "a Fly.io token", "fm2_", raw`\bfm2_[A-Za-z0-9+/]{100,800}={0,2}`],
  ["vault-token", "a HashiCorp Vault token", "hv", raw`\bhv[sbr]\.[\w-]{24,300}`],
  ["terraform-token", "a Terraform Cloud token", ".atlasv1.", raw`\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}`],
  ["databricks-token", "a Databricks token", "dapi", raw`\bdapi[a-f0-9]{32}\b`],
  ["planetscale-token", "a PlanetScale token", "pscale_", raw`\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}`],
  ["supabase-token", "a Supabase token", "sbp_", raw`\bsbp_[a-f0-9]{40}\b`],
  ["github-token", "a GitHub token", "gh", raw`\bgh[pousr]_[A-Za-z0-9]{36,251}\b`],
  [
    "github-fine-grained-token",
    "a GitHub fine-grained token",
    "github_pat_",
    raw`\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b`,
  ],
  [
    "gitlab-token",
    "a GitLab token",
    "gl",
    raw`\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas)-[\w.-]{20,300}`,
  ],
  ["bitbucket-token", "an Atlassian or Bitbucket token", "AT", raw`\bAT(?:ATT3|BB|CTT3)[\w=-]{28,250}`],
  ["npm-token", "an npm token", "npm_", raw`\bnpm_[A-Za-z0-9]{36}\b`],
  ["pypi-token", "a PyPI token", "pypi-", raw`\bpypi-AgE[\w-]{50,300}`],
  ["rubygems-key", "a RubyGems key", "rubygems_", raw`\brubygems_[a-f0-9]{48}\b`],
  ["crates-token", "a crates.io token", "cio", raw`\bcio[A-Za-z0-9]{32}\b`],
  ["nuget-key", "a NuGet key", "oy2", raw`\boy2[a-z0-9]{43}\b`],
  ["docker-token", "a Docker Hub token", "dckr_", raw`\bdckr_(?:pat|oat)_[\w-]{27,40}`],
  [
    "openai-key",
    "an OpenAI key",
    "sk-",
    raw`\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,300}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b`,
  ],
  ["anthropic-key", "an Anthropic key", "sk-ant-", raw`\bsk-ant-[a-z0-9]{2,12}-[\w-]{80,120}`],
  ["huggingface-token", "a Hugging Face token", "hf_", raw`\bhf_[A-Za-z0-9]{34}\b`],
]);
