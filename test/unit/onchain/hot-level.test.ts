import { expect, it } from 'vitest';
import { hotLevel } from '../../../src/domain/onchain/hot-level.ts';

it.each([
  [9n, 'LOW'],
  [10n, 'WITHIN'],
  [20n, 'WITHIN'],
  [21n, 'HIGH'],
])('%s units at hot addresses are %s, floor and cap being within', (held, level) => {
  expect(hotLevel(held, { floor: 10n, cap: 20n })).toBe(level);
});
