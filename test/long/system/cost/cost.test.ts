import "../../../system/cost/cost.test.ts";
