import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from './http/app.ts';
import { documentDeps } from './http/document-deps.ts';
import { renderOpenApi } from './http/openapi.ts';

// Writes docs/openapi.json, or the file that is named, from the routes' schemas.
const file = process.argv[2] ?? fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const app = buildApp(documentDeps());
await app.ready();
writeFileSync(file, renderOpenApi(app));
await app.close();
