import { describe, expect, it } from 'vitest';
import {
  ADVANCED_SECONDS_MAX,
  formatSpan,
  readClockAdvance,
} from '../../../src/domain/sandbox/clock-advance.ts';

const DAY_S = 86_400;

describe('the span by which the sandbox clock moves', () => {
  it.each([
    ['P1D', DAY_S],
    ['PT2H', 7_200],
    ['P1DT12H', 1.5 * DAY_S],
    ['P2W', 14 * DAY_S],
    ['P1W1DT1H1M1S', 8 * DAY_S + 3_661],
    ['PT1S', 1],
    ['PT90M', 5_400],
    ['P400D', ADVANCED_SECONDS_MAX],
  ])('%s is %i seconds', (text, seconds) => {
    expect(readClockAdvance(text)).toEqual({ ok: true, seconds });
  });

  it.each([
    ...[
      '',
      'P',
      'PT',
      'P1DT',
      'T1H',
      '1D',
      'p1d',
      'P1d',
      '-P1D',
      'P-1D',
      '+P1D',
      'P1.5D',
      'PT0,5H',
    ],
    ...['P1D ', ' P1D', 'P1D\n', 'P1H', 'PT1D', 'P1DT1W', 'PT1S1M', 'P1D1D', 'P1234567890D', 'P١D'],
    ...['PT1e3S', 'P0x1D', 'one day', 'P1D; DROP'],
  ])('%j is none', (text) => {
    expect(readClockAdvance(text)).toEqual({ ok: false, problem: 'NO_SPAN' });
  });

  it.each(['P1Y', 'P1M', 'P0M1D', 'P1Y2M3DT4H'])('%s has no fixed length', (text) => {
    expect(readClockAdvance(text)).toEqual({ ok: false, problem: 'NO_FIXED_LENGTH' });
  });

  it.each(['P0D', 'PT0S', 'P0W0DT0H0M0S'])('%s is zero', (text) => {
    expect(readClockAdvance(text)).toEqual({ ok: false, problem: 'ZERO' });
  });

  it.each(['P401D', 'P400DT1S', 'P58W', 'PT999999999H', 'P999999999WT999999999S'])(
    '%s is too long',
    (text) => {
      expect(readClockAdvance(text)).toEqual({ ok: false, problem: 'TOO_LONG' });
    },
  );

  it.each([
    [0, 'PT0S'],
    [1, 'PT1S'],
    [DAY_S, 'P1D'],
    [10 * DAY_S, 'P10D'],
    [1.5 * DAY_S, 'P1DT12H'],
    [DAY_S - 1, 'PT23H59M59S'],
    [8 * DAY_S + 3_661, 'P8DT1H1M1S'],
    [ADVANCED_SECONDS_MAX, 'P400D'],
  ])('%i seconds are shown as %s, which says the same', (seconds, text) => {
    expect(formatSpan(seconds)).toBe(text);
    if (seconds > 0) expect(readClockAdvance(text)).toEqual({ ok: true, seconds });
  });
});
