import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, PUBLIC_KEY_RECEIVER } from '../../support/webhooks/languages.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const guide = readFileSync(join(DOCS, 'how-to/verify-webhooks.md'), 'utf8');
const files = readdirSync(join(DOCS, 'examples/webhooks'));

/** The programs of the guide by the file that their mark names. */
const shown = Object.fromEntries(
  [...guide.matchAll(/<!-- example:(\S+) -->\n\n```\w+\n([^]*?\n)```\n/g)].map(
    ([, file = '', text = '']) => [file, text] as const,
  ),
);

describe('docs/how-to/verify-webhooks.md', () => {
  it('shows every program as it is, and no other', () => {
    expect(Object.keys(shown).sort()).toEqual(files.sort());
    for (const file of files) {
      expect(shown[file], file).toBe(readFileSync(join(DOCS, 'examples/webhooks', file), 'utf8'));
    }
    expect(guide.match(/^```\w/gm)).toHaveLength(files.length);
  });

  it('shows no program that is not run', () => {
    const run = [...LANGUAGES, PUBLIC_KEY_RECEIVER];
    expect(run.map(({ file }) => file).sort()).toEqual(files.sort());
  });
});
