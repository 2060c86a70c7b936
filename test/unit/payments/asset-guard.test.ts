import { describe, expect, it } from 'vitest';

import { judgeAssetRates } from '../../../src/domain/payments/fx/asset-guard.ts';
import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { guardLegs } from '../../../src/domain/payments/fx/guard.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { hourMs, hoursBefore, leg, noon } from '../../support/payments/legs.ts';

const moment = { at: noon, maxAgeMs: 24 * hourMs };
const judge = (legs: readonly FxLeg[], ...codes: string[]) => judgeAssetRates(legs, codes, moment);
const other = (text: string, asOf = noon) => leg(text, { source: 'other', asOf });

describe('rates of assets', () => {
  it('that ship with the program are near their pegs', async () => {
    const legs = await createSnapshotSource().fetch();
    for (const code of ['USDC', 'USDT', 'EURC']) expect(judge(legs, 'JPY', code)).toBeNull();
  });

  it.each([
    ['1.0099', null],
    ['1.01', 'OFF_PEG'],
    ['0.9901', null],
    ['0.99', 'OFF_PEG'],
    ['0.87', 'OFF_PEG'],
  ])('of a dollar coin at %s are %s', (rate, problem) => {
    expect(judge([leg('USD/EUR 0.9'), leg(`USDC/USD ${rate}`)], 'EUR', 'USDC')).toBe(problem);
    expect(judge([leg('USD/EUR 0.9'), leg(`USDT/USD ${rate}`)], 'EUR', 'USDT')).toBe(problem);
  });

  it('of a euro coin are held against the euro, on whichever side the euro stands', () => {
    const near = [leg('USD/EUR 0.5'), leg('EURC/EUR 0.999')];
    expect(judge(near, 'USD', 'EURC')).toBeNull();
    const cross = [leg('USD/EUR 0.9'), leg('USD/EURC 0.92')];
    expect(judge(cross, 'USD', 'EURC')).toBe('OFF_PEG');
  });

  it('of a coin that is sold are judged like those of one that is bought', () => {
    expect(judge([leg('USD/EUR 0.9'), leg('USDC/USD 0.95')], 'USDC', 'EUR')).toBe('OFF_PEG');
  });

  it.each([
    ['1.0049', null],
    ['1.005', 'SOURCES_APART'],
    ['0.995', 'SOURCES_APART'],
  ])('by two sources, at 1 and at %s, are %s', (rate, problem) => {
    const legs = [leg('USD/EUR 0.9'), leg('USDC/USD 1'), other(`USDC/USD ${rate}`)];
    expect(judge(legs, 'EUR', 'USDC')).toBe(problem);
  });

  it('are judged with the currency that pays for them', () => {
    const legs = [leg('USDC/USD 1'), leg('USD/EUR 0.9'), other('USD/EUR 0.91')];
    expect(judge(legs, 'EUR', 'USDC')).toBe('SOURCES_APART');
    expect(judge(legs, 'USD', 'USDC')).toBeNull();
  });

  it('of sources that know no dollar are compared in their anchor', () => {
    const apart = [leg('EUR/USD 1.1'), other('EURC/EUR 1'), leg('EURC/EUR 1', { source: 'third' })];
    expect(judge(apart, 'USD', 'EURC')).toBeNull();
    const wrong = [...apart.slice(0, 2), leg('EURC/EUR 1.006', { source: 'third' })];
    expect(judge(wrong, 'USD', 'EURC')).toBe('SOURCES_APART');
  });

  it('are not outvoted: one of three sources that sees the coin fall is enough', () => {
    const third = leg('USDC/USD 0.7', { source: 'third' });
    const legs = [leg('USDC/USD 1'), other('USDC/USD 1'), third];
    expect(judge(legs, 'USD', 'USDC')).toBe('SOURCES_APART');
  });

  it('that are old do not count beside fresh ones', () => {
    const legs = [leg('USDC/USD 1'), other('USDC/USD 0.8', hoursBefore(25))];
    expect(judge(legs, 'USD', 'USDC')).toBeNull();
    const fallen = [leg('USDC/USD 1', { asOf: hoursBefore(25) }), other('USDC/USD 0.8')];
    expect(judge(fallen, 'USD', 'USDC')).toBe('OFF_PEG');
  });

  it('are stored however far they fall, so that the rate of before is not quoted on', () => {
    const limits = { now: noon, moveMaxPercent: '20', aheadMaxMs: hourMs, releasedPegs: [] };
    const before = [leg('USD/USDT 1', { asOf: hoursBefore(24) })];
    const fallen = [leg('USD/USDT 1.6')];
    expect(guardLegs(fallen, before, limits)).toEqual({ accepted: fallen, refused: [] });
    expect(judge(fallen, 'USD', 'USDT')).toBe('OFF_PEG');
  });
});
