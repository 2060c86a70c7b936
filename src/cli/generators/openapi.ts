import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildApp } from '../../api/app.ts';
import { documentDeps } from '../../api/openapi/document-deps.ts';
import { renderOpenApi } from '../../api/openapi/openapi.ts';
import { renderScopesPage } from '../../api/openapi/scope-table.ts';

// Writes docs/openapi.json and the table of docs/reference/api-keys.md from the routes' schemas; with --check it
// only says whether they are the same.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const app = buildApp(documentDeps());
await app.ready();
const document = renderOpenApi(app);
await app.close();
const keysPage = readFileSync(`${docs}reference/api-keys.md`, 'utf8');
const rendered = {
  'openapi.json': document,
  'reference/api-keys.md': renderScopesPage(keysPage, JSON.parse(document) as object),
};
for (const [name, text] of Object.entries(rendered)) {
  if (!values.check) {
    writeFileSync(docs + name, text);
  } else if (readFileSync(docs + name, 'utf8') !== text) {
    console.error(`docs/${name} differs from the routes: run "npm run openapi" and commit it.`);
    process.exitCode = 1;
  }
}
