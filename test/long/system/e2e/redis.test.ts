import "../../../system/e2e/redis.test.ts";
