import "../../../system/openapi/openapi.test.ts";
