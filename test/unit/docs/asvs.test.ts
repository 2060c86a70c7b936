import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKEN_BYTES } from '../../../src/modules/customers/access/sessions.ts';
import { CODE_DIGITS } from '../../../src/domain/customers/access/login-code.ts';
import { ASVS_REQUIREMENTS } from '../../support/docs/asvs-requirements.ts';
import { missingTests, readAsvsRows } from '../../support/docs/asvs-table.ts';
import { ROOT } from '../../support/docs/markdown.ts';

const text = readFileSync(join(ROOT, 'docs/reference/asvs.md'), 'utf8');
const rows = readAsvsRows(text);

describe('docs/reference/asvs.md', () => {
  it('has one row for each requirement, and none for another', () => {
    const levels = ASVS_REQUIREMENTS.map(({ level }) => level);
    // As the standard counts them itself.
    expect([1, 2].map((level) => levels.filter((one) => one === level).length)).toEqual([70, 183]);
    const numbers = rows.flatMap((row) => row.numbers);
    expect(numbers).toEqual(ASVS_REQUIREMENTS.map(({ number }) => number));
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
    const [beginning = ''] = text.split('## V1');
    const listed = [...beginning.matchAll(/^\| \[(\d+\.\d+\.\d+)\]\(#[^)]*\) +\| ([12]) /gm)];
    const named = listed.map(([, number]) => number);
    const made = rows.filter(({ how }) => how.includes('**Exception**'));
    expect(made.flatMap(({ numbers }) => numbers)).toEqual(named);
    expect(named.length).toBeGreaterThan(0);
    const levelOf = (wanted?: string) =>
      ASVS_REQUIREMENTS.find(({ number }) => number === wanted)?.level;
    for (const [, number, level] of listed) expect(levelOf(number), number).toBe(Number(level));
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

  it('nothing of the service runs a text as a program, or starts another program', () => {
    const own = [
      ...filesBelow('src', ['.ts', '.tsx']).filter((path) => !/^src\/(cli|sandbox)\//.test(path)),
      ...['workflows', 'activities'].flatMap((folder) => filesBelow(folder, ['.ts'])),
    ];
    expect(own.length).toBeGreaterThan(900);
    const running = own.filter((path) =>
      /\beval\(|new Function\(|node:(vm|child_process|worker_threads)/.test(textOf(path)),
    );
    expect(running).toEqual([]);
  });

  it('nothing of the service encrypts but by AES-256-GCM, or hashes by less than SHA-256', () => {
    const own = filesBelow('src', ['.ts', '.tsx']).map((path) => [path, textOf(path)] as const);
    const ciphers = own.filter(([, code]) => /create(C|Dec)ipheriv|publicEncrypt/.test(code));
    expect(ciphers.map(([path]) => path)).toEqual(['src/vault/sealing.ts']);
    expect(textOf('src/vault/sealing.ts')).toContain("'aes-256-gcm'");
    const hashes = own.flatMap(([, code]) => [
      ...code.matchAll(/\bcreate(?:Hash|Hmac)\(([^,)]*)/g),
    ]);
    expect(hashes.length).toBeGreaterThan(20);
    expect([...new Set(hashes.map(([, algorithm]) => algorithm))]).toEqual(["'sha256'"]);
  });

  it("a code has eight digits, a session's token 256 bits", () => {
    expect(Math.log2(10 ** CODE_DIGITS)).toBeGreaterThan(20);
    expect([CODE_DIGITS, TOKEN_BYTES * 8]).toEqual([8, 256]);
  });
});
