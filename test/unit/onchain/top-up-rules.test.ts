import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givingTakes, hotLevel, topUpValue } from '../../../src/domain/onchain/top-up-rules.ts';

const wei = fc.bigInt(0n, 10n ** 21n);
const rules = fc
  .tuple(fc.bigInt(1n, 10n ** 20n), fc.bigInt(1n, 10n ** 20n))
  .map(([floor, more]) => ({ from: 'made up', floor, target: floor + more }));

describe('a top-up', () => {
  it('is made only where both blocks show less than the floor, and never gives more than the target', () => {
    fc.assert(
      fc.property(wei, wei, rules, (latest, final, rule) => {
        const value = topUpValue({ latest, final }, rule);
        expect(value === null).toBe(latest >= rule.floor || final >= rule.floor);
        if (value === null) return;
        expect(value).toBeGreaterThan(0n);
        expect(latest + value).toBeLessThanOrEqual(rule.target);
        expect(final + value).toBeLessThanOrEqual(rule.target);
      }),
    );
  });

  it('leaves the gas account its floor once everything under way is paid', () => {
    fc.assert(
      fc.property(wei, wei, wei, rules, (value, fee, owed, rule) => {
        const held = givingTakes(rule, { value, fee, owed });
        expect(held - value - fee - owed).toBe(rule.floor);
      }),
    );
  });
});

it.each([
  [9n, 'LOW'],
  [10n, 'WITHIN'],
  [20n, 'WITHIN'],
  [21n, 'HIGH'],
])('%s units at hot addresses are %s, floor and cap being within', (held, level) => {
  expect(hotLevel(held, { floor: 10n, cap: 20n })).toBe(level);
});
