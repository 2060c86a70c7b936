import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKEN_BYTES } from '../../../src/modules/customers/access/sessions.ts';
import { CODE_DIGITS } from '../../../src/domain/customers/access/login-code.ts';
import { missingTests, readAsvsRows } from '../../support/docs/asvs-table.ts';
import { ROOT } from '../../support/docs/markdown.ts';

/** How many requirements of level 1 and 2 each section of ASVS 5.0.0 has, counted from 1. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '12.3': 4 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
};
const REQUIRED = Object.entries(SECTIONS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_none, index) => `${section}.${String(index + 1)}`),
);

const text = readFileSync(join(ROOT, 'docs/reference/asvs.md'), 'utf8');
const rows = readAsvsRows(text);

describe('docs/reference/asvs.md', () => {
  it('has one row for each requirement, and none for another', () => {
    const numbers = rows.flatMap((row) => row.numbers);
    expect(numbers).toHaveLength(92);
    expect([...numbers].sort()).toEqual([...REQUIRED].sort());
  });

  it('names tests that are there', () => {
    expect(rows.flatMap(missingTests)).toEqual([]);
  });

  it('names a test for each requirement that is about something that Causeway has', () => {
    const without = rows.filter(({ tests }) => tests.length === 0);
    for (const { numbers, how, shownBy } of without) {
      expect(shownBy, numbers[0]).toMatch(/^none(: a document)?$/);
      if (shownBy === 'none') expect(how, numbers[0]).toMatch(/^none: /);
    }
    expect(without.length).toBeLessThan(rows.length / 5);
  });

  it('names in its beginning each exception that a row makes, and no other', () => {
    const [beginning = ''] = text.split('## V3');
    const named = [...beginning.matchAll(/\[(\d+\.\d+\.\d+)\]/g)].map(([, number]) => number);
    const made = rows.filter(({ how }) => how.includes('**Exception**'));
    expect(made.flatMap(({ numbers }) => numbers)).toEqual(named);
    expect(named.length).toBeGreaterThan(0);
  });

  it('would be found wrong: a test that is not there, a file that is not there, a title that is a comment', () => {
    const row = (cell: string) => readAsvsRows(`| 3.2.1 | asks | how | ${cell} |`)[0];
    const missing = [
      '`test/unit/docs/asvs.test.ts` "names tests that are elsewhere"',
      '`test/unit/docs/nowhere.test.ts` "names tests that are there"',
      '`test/unit/docs/asvs.test.ts` "3.2.1"',
    ].map((cell) => missingTests(row(cell) ?? fail(cell)));
    expect(missing.map((found) => found.length)).toEqual([1, 1, 1]);
    const right = row('`test/unit/docs/asvs.test.ts` "names tests that are there"');
    expect(missingTests(right ?? fail('right'))).toEqual([]);
  });
});

const fail = (what: string): never => {
  throw new Error(`no row was read of ${what}`);
};

const filesBelow = (folder: string, ends: readonly string[]): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('what the table says of the code', () => {
  it('the script of pages listens to no other window, and stores nothing in the browser', () => {
    const script = textOf('src/web/kit/assets/site.js');
    expect(script).toContain('addEventListener');
    expect(script).not.toMatch(/postMessage|onmessage|['"]message['"]|Storage|indexedDB|cookie/);
  });

  it('nothing of the service draws from Math.random but waits and shares', () => {
    const drawing = ['src', 'workflows', 'activities']
      .flatMap((folder) => filesBelow(folder, ['.ts', '.tsx']))
      .filter((path) => textOf(path).includes('Math.random'));
    expect(drawing.sort()).toEqual([
      // When a partner's program sends again what was not answered.
      'src/api/client/settings.ts',
      // When a share of a rate limit is given back.
      'src/api/leased-buckets.ts',
      // The order in which transactions that met try again.
      'src/db/client/alone-in-the-end.ts',
      // When a webhook is sent again.
      'src/server/runtime/create-activities.ts',
    ]);
  });

  it("a code has eight digits, a session's token 256 bits", () => {
    expect(Math.log2(10 ** CODE_DIGITS)).toBeGreaterThan(20);
    expect([CODE_DIGITS, TOKEN_BYTES * 8]).toEqual([8, 256]);
  });
});
