import type { Corridor } from './corridor.ts';
import { SEPA_COUNTRIES } from './sepa-countries.ts';

/**
 * Limits are the schemes' own, not a price list: an operator who wants narrower ones caps outflow.
 * Within a (country, currency) the first rail is the default one.
 */
const CORRIDORS: readonly Corridor[] = [
  ...SEPA_COUNTRIES.map((country): Corridor => ({
    country,
    currency: 'EUR',
    rail: 'SEPA',
    min: '0.01',
    // EPC125-05, SEPA Credit Transfer rulebook: greatest amount 999,999,999.99; return within three
    // banking business days after settlement.
    max: '999999999.99',
    cutOff: { time: '16:00', timeZone: 'Europe/Brussels' },
    returnWindowDays: 3,
    // EPC125-05: a Return transfers the original amount without deduction of charges.
    returnsMayBeDeducted: false,
    status: 'ACTIVE',
  })),
  {
    country: 'US',
    currency: 'USD',
    rail: 'ACH',
    min: '0.01',
    // Nacha operating rules: ten digits of amount in an entry; return by the second banking day.
    max: '99999999.99',
    // FedACH, third same-day window.
    cutOff: { time: '16:45', timeZone: 'America/New_York' },
    returnWindowDays: 2,
    // Nacha operating rules: a return entry is of the amount of the original entry.
    returnsMayBeDeducted: false,
    status: 'ACTIVE',
  },
  {
    country: 'GB',
    currency: 'GBP',
    rail: 'FPS',
    min: '0.01',
    // Pay.UK, Faster Payments: one million pounds a payment, round the clock.
    max: '1000000.00',
    cutOff: null,
    returnWindowDays: 1,
    // Pay.UK, Faster Payments: a return payment is of the original amount.
    returnsMayBeDeducted: false,
    status: 'ACTIVE',
  },
];

/** Every corridor, suspended ones included, in a stable order. */
export function allCorridors(): readonly Corridor[] {
  return CORRIDORS;
}

/** The corridors to a country in a currency; the first is the default. Empty where there is none. */
export function corridorsFor(country: string, currency: string): Corridor[] {
  return CORRIDORS.filter((way) => way.country === country && way.currency === currency);
}

/** The one corridor over a given rail, or undefined. */
export function findCorridor(
  country: string,
  currency: string,
  rail: string,
): Corridor | undefined {
  return corridorsFor(country, currency).find((way) => way.rail === rail);
}

/**
 * Whether money that comes back over a rail may be less than what was sent, so that only the bank's
 * statement, or an amount that the bank tells, can be credited. A rail of no corridor counts as such.
 */
export function returnsMayBeDeducted(rail: string, currency: string): boolean {
  const ways = CORRIDORS.filter((way) => way.rail === rail && way.currency === currency);
  return ways.length === 0 || ways.some((way) => way.returnsMayBeDeducted);
}
