import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderFailuresPage } from '../../domain/payments/failures/failures-page.ts';

// Writes the list of docs/reference/failures.md; with --check it only says whether it is the same.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = fileURLToPath(new URL('../../../docs/reference/failures.md', import.meta.url));
const page = readFileSync(file, 'utf8');
const rendered = renderFailuresPage(page);
if (!values.check) {
  writeFileSync(file, rendered);
} else if (page !== rendered) {
  console.error(
    'docs/reference/failures.md differs from the catalogue: run "npm run failure-docs" and commit it.',
  );
  process.exitCode = 1;
}
