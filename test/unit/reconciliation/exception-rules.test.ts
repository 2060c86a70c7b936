import { describe, expect, it } from 'vitest';
import { isCurrency } from '../../../src/domain/money/currencies.ts';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { EXCEPTION_RULES } from '../../../src/domain/reconciliation/exceptions/exception-rules.ts';
import { actsFor } from '../../../src/domain/reconciliation/exceptions/exception-act.ts';
import {
  ruleFor,
  type RuleFacts,
} from '../../../src/domain/reconciliation/exceptions/judge-rules.ts';

/** A payment of which the bank debited 2.50 EUR more. */
const CHARGED: RuleFacts = {
  ...{ exception: 'AMOUNT_MISMATCH', direction: 'DBIT', open: { currency: 'EUR', minor: -250n } },
  ...{ isInSuspense: false, isOfOneCurrency: true, creditable: 1000n, hasTwin: false },
  ...{ isGapFilled: false, namesTrade: false },
};
const named = (facts: Partial<RuleFacts>): string | null =>
  ruleFor(EXCEPTION_RULES, { ...CHARGED, ...facts })?.name ?? null;
const eur = (minor: bigint) => ({ currency: 'EUR', minor });

describe('the rules', () => {
  it.each<[string, Partial<RuleFacts>, string | null]>([
    ['charges on a payout', {}, 'charges-on-payout'],
    ['exactly the limit', { open: eur(-2500n) }, 'charges-on-payout'],
    ['a cent over the limit', { open: eur(-2501n) }, null],
    ['a currency without a limit', { open: { currency: 'JPY', minor: -1n } }, null],
    ['less was debited than sent', { open: eur(250n) }, null],
    ['another line may be the same booking, or correct it', { hasTwin: true }, null],
    ['a payment in two currencies', { isOfOneCurrency: false }, null],
    ['a second debit', { exception: 'DUPLICATE_AT_BANK' }, null],
    ['a debit of a payment that failed', { exception: 'LATE' }, null],
    [
      'less came back than was told',
      { direction: 'CRDT', isInSuspense: true },
      'charges-on-return',
    ],
    ['the rest of a return', { direction: 'CRDT', open: eur(400n) }, 'rest-of-return'],
    ['more than was sent', { direction: 'CRDT', open: eur(1001n) }, null],
    [
      'a debit of a cover trade',
      { exception: 'UNEXPECTED_AT_BANK', namesTrade: true, open: eur(0n) },
      'cover-trade',
    ],
    ['another debit of no payment', { exception: 'UNEXPECTED_AT_BANK' }, null],
    [
      'a debit of a cover trade that another line may show',
      { exception: 'UNEXPECTED_AT_BANK', namesTrade: true, open: eur(0n), hasTwin: true },
      null,
    ],
    ['a gap', { exception: 'SEQUENCE_GAP', open: null }, null],
    [
      'a gap that is filled',
      { exception: 'SEQUENCE_GAP', open: null, isGapFilled: true },
      'gap-filled',
    ],
    ['a wrong balance', { exception: 'BALANCE_MISMATCH', open: null }, null],
  ])('of %s', (_what, facts, rule) => {
    expect(named(facts)).toBe(rule);
  });

  it('have names of their own, limits that are amounts, and acts that fit', () => {
    expect(new Set(EXCEPTION_RULES.map(({ name }) => name)).size).toBe(EXCEPTION_RULES.length);
    for (const { name, kind, when, act, limits } of EXCEPTION_RULES) {
      for (const [currency, { each, day }] of Object.entries(limits ?? {})) {
        expect(isCurrency(currency), name).toBe(true);
        const [one, all] = [parseAmount(each, currency), parseAmount(day, currency)];
        expect(one.ok && all.ok && one.minor <= all.minor, `${name} ${currency}`).toBe(true);
      }
      const hasLeft = when.includes('MORE_LEFT') || when.includes('NAMES_TRADE');
      const open = limits === null ? 0n : hasLeft ? -1n : 1n;
      expect(actsFor({ exception: kind, open, isOfPayment: false }), name).toContain(act);
      // No rule charges a customer.
      expect(act, name).not.toBe('RECOVER');
    }
  });
});
