import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderActsPage } from '../../modules/operations/acts/acts-page.ts';

// Writes the tables of docs/reference/operator-acts.md; with --check it only says whether it is the same.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = fileURLToPath(new URL('../../../docs/reference/operator-acts.md', import.meta.url));
const page = readFileSync(file, 'utf8');
const rendered = renderActsPage(page);
if (!values.check) {
  writeFileSync(file, rendered);
} else if (page !== rendered) {
  console.error(
    'docs/reference/operator-acts.md differs from the table of acts: run "npm run act-docs" and commit it.',
  );
  process.exitCode = 1;
}
