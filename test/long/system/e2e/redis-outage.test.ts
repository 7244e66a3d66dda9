import "../../../system/e2e/redis-outage.test.ts";
