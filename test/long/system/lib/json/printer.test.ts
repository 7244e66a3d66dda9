import "../../../../system/lib/json/printer.test.ts";
