import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildApp } from '../http/app.ts';
import { documentDeps } from '../http/openapi/document-deps.ts';
import { renderOpenApi } from '../http/openapi/openapi.ts';

// Writes docs/openapi.json from the routes' schemas; with --check it only says whether it is the same.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const app = buildApp(documentDeps());
await app.ready();
const document = renderOpenApi(app);
await app.close();
if (!values.check) {
  writeFileSync(file, document);
} else if (readFileSync(file, 'utf8') !== document) {
  console.error('docs/openapi.json differs from the routes: run "npm run openapi" and commit it.');
  process.exitCode = 1;
}
