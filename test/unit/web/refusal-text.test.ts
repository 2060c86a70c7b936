import { describe, expect, it } from 'vitest';
import { Refusal, refuseField } from '../../../src/domain/errors/refusal.ts';
import { ERRORS } from '../../../src/domain/errors/registry.ts';
import { plainText, refusalText } from '../../../src/web/kit/refusal-text.ts';

describe('a refusal of the API on a page', () => {
  it('shows names of fields without backticks', () => {
    const refusal = new Refusal('validation_failed', 'Remove `scheduledFor` or `quoteId`.');
    expect(refusalText(refusal)).toBe('Remove scheduledFor or quoteId.');
  });

  it('shows the sentence of its first problem where it has one', () => {
    const refusal = refuseField('validation_failed', '/url', 'The host of `url` is private.');
    expect(refusalText(refusal)).toBe('The host of url is private.');
  });

  it.each(Object.entries(ERRORS))('has no backtick for %s', (_code, { description }) => {
    expect(plainText(description)).not.toContain('`');
  });
});
