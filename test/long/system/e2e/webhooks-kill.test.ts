import "../../../system/e2e/webhooks-kill.test.ts";
