import "../../../../unit/tools/json/json-query-budget.test.ts";
