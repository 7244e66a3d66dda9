import { toTokenRules } from "../token-rule.ts";

const raw = String.raw;

/** Keys of services for payment, banking, trade and shipping. */
export const paymentRules = toTokenRules([
  [
    "stripe-key",
    "a Stripe secret key",
    "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
    raw`<w16,247>`,
  ],
  ["webhook-secret", "a webhook signing secret", "whsec_", raw`[A-Za-z0-9+/=]{24,120}`],
  ["square-token", "a Square token", "sq0atp- sq0csp- sq0idp-", raw`<u22,60>`],
  ["square-access-token", "a Square access token", "EAAA", raw`<u60>`],
  [
    "braintree-token",
    "a Braintree access token",
    "access_token",
    raw`\\?\$(?:production|sandbox)\\?\$<l16>\\?\$<h32>`,
  ],
  ["shopify-token", "a Shopify token", "shpat_ shpca_ shppa_ shpss_ shpua_ shpit_", raw`[a-fA-F0-9]{32}`],
  ["razorpay-key", "a Razorpay key", "rzp_live_ rzp_test_", raw`<w14>`],
  ["flutterwave-key", "a Flutterwave secret key", "FLWSECK-", raw`<l32>-X`],
  ["flutterwave-test-key", "a Flutterwave test key", "FLWSECK_TEST-", raw`<l32>-X|<l12>`],
  [
    "plaid-token",
    "a Plaid access token",
    "access-sandbox- access-development- access-production-",
    raw`<id>`,
  ],
  ["gocardless-token", "a GoCardless token", "live_", raw`<u40>`],
  ["mollie-key", "a Mollie key", "live_ test_", raw`<w30>`],
  ["lob-key", "a Lob key", "live_ test_", raw`<h35>`],
  ["easypost-key", "an EasyPost key", "EZAK EZTK", raw`<w54>`],
  ["shippo-token", "a Shippo token", "shippo_live_ shippo_test_", raw`<h40>`],
  ["duffel-token", "a Duffel token", "duffel_live_ duffel_test_", raw`[\w=-]{43}`],
  ["paddle-key", "a Paddle key", "pdl_live_apikey_ pdl_sdbx_apikey_", raw`<l26>_<w22>_<w3>`],
  ["checkout-key", "a Checkout.com secret key", "sk_sbox_", raw`<l26><u0,2>`],
  ["checkout-legacy-key", "a Checkout.com key", "sk_ sk_test_", raw`<id>`],
  ["omise-key", "an Omise key", "skey_live_ skey_test_ skey_", raw`<l19>`],
  ["midtrans-key", "a Midtrans server key", "Mid-server-", raw`<u24>`],
  ["xendit-key", "a Xendit key", "xnd_production_ xnd_development_", raw`<w40,80>`],
  ["cashfree-key", "a Cashfree key", "cfsk_ma_prod_ cfsk_ma_test_", raw`<h32>_<h8>`],
  ["brex-token", "a Brex token", "bxt_", raw`<w36,48>`],
  ["mercury-token", "a Mercury token", "secret-token:mercury_production_", raw`(<w20,120>)`],
  ["persona-key", "a Persona key", "persona_production_ persona_sandbox_", raw`<id>`],
  ["polar-token", "a Polar token", "polar_pat_ polar_oat_", raw`<w30,60>`],
  ["settlemint-token", "a SettleMint token", "sm_aat_ sm_pat_ sm_sat_", raw`<w16>`],
  ["bitgo-token", "a BitGo token", "v2x", raw`<h64>`],
  ["chargebee-key", "a Chargebee key", "live_", raw`<w32,33>|<w36,50>`],
  ["samsara-token", "a Samsara token", "samsara_api_", raw`<w30>`],
]);
