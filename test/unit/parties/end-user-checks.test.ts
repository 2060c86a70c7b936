import { describe, expect, it } from 'vitest';
import { isPastDate } from '../../../src/modules/parties/end-users/past-date.ts';

const NOON = new Date('2026-02-28T12:00:00.000Z');

describe('a date of birth', () => {
  it.each(['1990-12-31', '2024-02-29', '1900-01-01', '2026-02-28'])('may be %s', (text) => {
    expect(isPastDate(text, NOON)).toBe(true);
  });

  it.each(['1990-02-31', '2023-02-29', '1990-13-01', '1899-12-31', '2026-03-01', '90-01-01', ''])(
    'cannot be %s',
    (text) => {
      expect(isPastDate(text, NOON)).toBe(false);
    },
  );
});
