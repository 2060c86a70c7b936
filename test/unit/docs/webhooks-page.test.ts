import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_FAILURES } from '../../../src/domain/webhooks/attempt.ts';
import { EVENT_TYPES } from '../../../src/domain/webhooks/event-types.ts';
import { EVENT_TEXTS } from '../../../src/api/schemas/events/event-texts.ts';
import { ROOT } from '../../support/docs/markdown.ts';

const page = readFileSync(join(ROOT, 'docs/reference/webhooks.md'), 'utf8');

/** The rows of the table under a heading of its columns. */
function rowsBelow(heading: string): string[][] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => cellsOf(line)[0] === heading);
  const rest = lines.slice(head + 2);
  return rest.slice(0, rest.indexOf('')).map(cellsOf);
}
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('docs/reference/webhooks.md', () => {
  it('lists every type of event, as the document describes it', () => {
    expect(rowsBelow('type')).toEqual(
      EVENT_TYPES.map((type) => [`\`${type}\``, EVENT_TEXTS[type]]),
    );
  });

  it('explains every error of an attempt', () => {
    const errors = rowsBelow('`error`').map(([error]) => error);
    expect(errors.sort()).toEqual(
      ['STATUS', 'REDIRECT', ...ATTEMPT_FAILURES].map((error) => `\`${error}\``).sort(),
    );
  });
});
