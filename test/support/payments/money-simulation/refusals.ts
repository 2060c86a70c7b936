import { expect } from 'vitest';
import type { Price } from './expected-books.ts';
import type { Answer, Told } from './told.ts';

/** All codes of a refusal, those of several problems too. */
export function codesOf({ json }: Answer): string[] {
  const details = json.details ?? [];
  const codes = details.map(({ code }) => code);
  return codes.length > 0 ? [...new Set(codes)] : [json.error];
}

/**
 * Holds a refusal against what was asked: everything that was refused had to be, and what had to be
 * refused was. `most`: what the corridor takes at the most, minor units of the target, or null.
 */
export function checkRefusal(told: Told, price: Price | null, most: bigint | null): void {
  const { plan, quote, answer, number } = told;
  const { kind, source } = plan;
  const where = `order ${String(number)}, ${kind}: ${answer?.body ?? quote?.answer.body ?? ''}`;
  if (quote !== null && quote.answer.status !== 201) {
    // So little that nothing arrives after fees.
    expect(codesOf(quote.answer), where).toEqual(['amount_below_minimum']);
    expect(plan.quote.fixedSide, where).toBe('SOURCE');
    return;
  }
  if (answer === null) throw new Error(`${where} was not asked`);
  const codes = answer.status === 201 ? [] : codesOf(answer);
  const arrives = price?.arrives ?? plan.minor;
  const isTooMuch = most !== null && arrives > most;
  const certain = CERTAIN[kind];
  if (certain !== undefined) {
    // What is too much besides may be told alone.
    expect(isTooMuch ? [...new Set([certain, ...codes])] : codes, where).toEqual(
      isTooMuch && codes.includes('amount_above_maximum')
        ? [certain, 'amount_above_maximum']
        : [certain],
    );
    return;
  }
  if (isTooMuch) expect(codes, where).toContain('amount_above_maximum');
  const isScarce = source.isScarce || kind === 'TOO_MUCH';
  const possible = [
    ...(isTooMuch ? ['amount_above_maximum'] : []),
    ...(isScarce ? ['insufficient_balance'] : []),
    ...(kind === 'TWINS' ? ['quote_already_used'] : []),
  ];
  for (const code of codes) expect(possible, where).toContain(code);
  if (kind === 'TOO_MUCH') expect(codes, where).not.toEqual([]);
}

const CERTAIN: Partial<Record<Told['plan']['kind'], string>> = {
  EXPIRED_QUOTE: 'quote_expired',
  FOREIGN_QUOTE: 'resource_not_found',
  MISMATCHED_QUOTE: 'quote_mismatch',
  SCHEDULED_CONVERTED: 'scheduling_not_supported',
};

/** Of two orders by one quote at once at most one is taken, and the other hears why. */
export function checkTwins(told: readonly Told[]): void {
  const byQuote = new Map<string, Told[]>();
  for (const one of told) {
    if (one.plan.kind !== 'TWINS' || one.quote?.answer.status !== 201) continue;
    const id = one.quote.answer.json.id;
    byQuote.set(id, [...(byQuote.get(id) ?? []), one]);
  }
  for (const twins of byQuote.values()) {
    expect(twins).toHaveLength(2);
    const taken = twins.filter(({ answer }) => answer?.status === 201);
    const late = twins.filter(({ answer }) => codesOf(answer!).includes('quote_already_used'));
    expect(taken.length, twins[0]?.answer?.body).toBeLessThanOrEqual(1);
    expect(late.length).toBe(taken.length);
  }
}
