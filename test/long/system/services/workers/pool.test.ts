import "../../../../system/services/workers/pool.test.ts";
