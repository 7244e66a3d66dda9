import "../../../../unit/tools/data/yaml-editor.test.ts";
