import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderSettingsPage } from '../../server/config/settings-page.ts';

// Writes the tables of docs/reference/configuration.md; with --check it only says whether they are the same.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = fileURLToPath(new URL('../../../docs/reference/configuration.md', import.meta.url));
const page = readFileSync(file, 'utf8');
const rendered = renderSettingsPage(page);
if (!values.check) {
  writeFileSync(file, rendered);
} else if (page !== rendered) {
  console.error(
    'docs/reference/configuration.md differs from the settings: run "npm run config-docs" and commit it.',
  );
  process.exitCode = 1;
}
