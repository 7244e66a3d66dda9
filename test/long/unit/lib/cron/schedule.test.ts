import "../../../../unit/lib/cron/schedule.test.ts";
