import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ApiDocument } from './client-types/api-document.ts';
import { renderOperationsFile } from './client-types/operations-file.ts';
import { renderSchemasFile } from './client-types/schemas-file.ts';

// Writes the types of src/api/client/generated from docs/openapi.json; with --check it only says whether
// they are the same.
const HEAD =
  '// Written by "npm run client-types" from docs/openapi.json. Not to be changed by hand.\n';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')) as ApiDocument;
const rendered = {
  'schemas.ts': renderSchemasFile(document, HEAD),
  'operations.ts': renderOperationsFile(document, HEAD),
};
for (const [name, text] of Object.entries(rendered)) {
  const file = `${root}src/api/client/generated/${name}`;
  if (!values.check) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(
      `src/api/client/generated/${name} differs from docs/openapi.json: run "npm run client-types" and commit it.`,
    );
    process.exitCode = 1;
  }
}
