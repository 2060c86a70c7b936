import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROKEN_BUILDS } from '../../volume/broken/builds.ts';
import { titlesOf } from '../../support/docs/asvs-table.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** What a table of cases puts into a title. */
const FILLED_IN = /%[sdifjo]|\$\w+/;

/** Whether a title that is written in a file is this one, or becomes it with a case filled in. */
const isTitle = (written: string, title: string): boolean =>
  isFilledIn(written.split(FILLED_IN), title) && written.replace(FILLED_IN, '').length >= 10;

/** Whether a text is these pieces in their order, with anything between them and nothing around them. */
function isFilledIn(pieces: readonly string[], text: string): boolean {
  const [first = '', ...others] = pieces;
  const last = others.at(-1);
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others.slice(0, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

describe.each(Object.entries(BROKEN_BUILDS))('the broken build "%s"', (_name, build) => {
  it('names a test that is there', () => {
    const titles = titlesOf(build.file);
    expect(titles.filter((one) => isTitle(one, build.test))).toHaveLength(1);
  });

  it('breaks a text that stands once in its file', () => {
    if (build.source === undefined) return;
    const { path, from } = build.source;
    expect(read(path).split(from).length - 1, from).toBe(1);
  });
});

it('a title of a table is known by what stands around its cases', () => {
  expect(isTitle('is paid once', 'is paid once')).toBe(true);
  expect(isTitle('is refused for the reason %s', 'is refused for the reason LATE')).toBe(true);
  expect(isTitle('is paid once', 'is paid twice')).toBe(false);
  expect(isTitle('%s', 'is paid twice')).toBe(false);
});
