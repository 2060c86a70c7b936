import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface KeptPage {
  /** In docs/reference. */
  readonly page: string;
  /** The page with its generated part made anew. */
  readonly render: (page: string) => string;
  /** What the part is made from, as the error names it. */
  readonly source: string;
  /** The npm script that writes it. */
  readonly script: string;
}

/** Writes the generated part of a page; with --check it only says whether it is the same. */
export function keepPage({ page: name, render, source, script }: KeptPage): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const file = fileURLToPath(new URL(`../../../../docs/reference/${name}`, import.meta.url));
  const page = readFileSync(file, 'utf8');
  const rendered = render(page);
  if (!values.check) {
    writeFileSync(file, rendered);
  } else if (page !== rendered) {
    console.error(
      `docs/reference/${name} differs from ${source}: run "npm run ${script}" and commit it.`,
    );
    process.exitCode = 1;
  }
}
