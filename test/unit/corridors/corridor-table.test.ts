import { describe, expect, it } from 'vitest';

import {
  allCorridors,
  corridorsFor,
  findCorridor,
} from '../../../src/domain/corridors/corridor-table.ts';
import { countryCodes, isCountry } from '../../../src/domain/corridors/countries.ts';
import { isRail } from '../../../src/domain/corridors/rail.ts';
import { formatAmount, parseAmount } from '../../../src/domain/money/amount.ts';

describe('corridors', () => {
  it('are unique by country, currency and rail', () => {
    const keys = allCorridors().map((way) => `${way.country} ${way.currency} ${way.rail}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('go to real countries, with limits written as amounts of their currency', () => {
    for (const { country, currency, rail, min, max } of allCorridors()) {
      expect(isCountry(country), country).toBe(true);
      expect(isRail(rail)).toBe(true);
      const [least, most] = [parseAmount(min, currency), parseAmount(max, currency)];
      if (!least.ok || !most.ok) throw new Error(`limits of ${country}`);
      expect(least.minor <= most.minor).toBe(true);
      expect([min, max]).toEqual([
        formatAmount(least.minor, currency),
        formatAmount(most.minor, currency),
      ]);
    }
  });

  it.each([
    ['DE', 'EUR', 'SEPA'],
    ['GB', 'EUR', 'SEPA'],
    ['GB', 'GBP', 'FPS'],
    ['US', 'USD', 'ACH'],
  ])('to %s in %s run over %s by default', (country, currency, rail) => {
    expect(corridorsFor(country, currency)[0]?.rail).toBe(rail);
    expect(findCorridor(country, currency, rail)?.status).toBe('ACTIVE');
  });

  it('are none where there is no rail', () => {
    expect(corridorsFor('US', 'EUR')).toEqual([]);
    expect(findCorridor('DE', 'EUR', 'ACH')).toBeUndefined();
    expect(findCorridor('DE', 'EUR', 'constructor')).toBeUndefined();
  });
});

describe('countries', () => {
  it('are ISO 3166-1 alpha-2 codes in upper case only', () => {
    expect(['DE', 'US', 'GB', 'XK'].every(isCountry)).toBe(true);
    expect(['de', 'DEU', '276', 'UK', 'EU', 'XX', '', 'D', 'DE\n'].some(isCountry)).toBe(false);
    expect(countryCodes().length).toBeGreaterThanOrEqual(249);
    expect(countryCodes().every(isCountry)).toBe(true);
  });
});
