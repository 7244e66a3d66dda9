import "../../../../unit/surfaces/lsp/text-document.test.ts";
