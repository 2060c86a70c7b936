import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hitsOf } from '../../support/parties/shipped.ts';

const page = readFileSync(new URL('../../../docs/reference/screening.md', import.meta.url), 'utf8');
const section = page.split('## Names that hit in the sandbox')[1]?.split('\n## ')[0] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

it('docs/reference/screening.md has a table of names', () => {
  expect(rows.length).toBeGreaterThan(10);
});

it.each(rows.map(([, name = '', kind = '', born = '', hit = '']) => ({ name, kind, born, hit })))(
  'docs/reference/screening.md tells what $name hits, born $born: $hit',
  ({ name, kind, born, hit }) => {
    const found = hitsOf(name, {
      kind: kind === 'ENTITY' ? 'ENTITY' : 'PERSON',
      ...(born === '' ? {} : { dateOfBirth: born }),
    });
    expect(found).toEqual(hit === '-' ? [] : [hit]);
  },
);
