import { anchorOf } from '../payments/fx/asset-anchors.ts';
import type { FxLeg } from '../payments/fx/fx-leg.ts';
import { valueInBase } from '../payments/fx/open-position.ts';
import { quoteTable } from '../payments/fx/quote-table.ts';
import { UNIT_RATE, type Rate } from '../payments/fx/rate.ts';
import type { Money } from '../ledger/movements.ts';

/** What `from` of a policy is in. */
export const PROOF_CURRENCY = 'EUR';

/** Payments to one address within so long count together: many small ones are one large one. */
export const LINKED_PAYMENTS_MS = 24 * 3_600_000;

/** When a wallet may be paid, and from which amount only if its ownership was proved. */
export interface WalletProofPolicy {
  /** Minor units of PROOF_CURRENCY, above 0: from here on, of all payments that count together. Null: no proof is asked for. */
  readonly from: bigint | null;
  /** Milliseconds from its registration until a wallet may be paid. */
  readonly coolOffMs: number;
  /** Milliseconds after which a rate is stale: fresh ones come first. */
  readonly rateMaxAgeMs: number;
}

/** Every wallet that is ACTIVE may be paid. */
export const NO_PROOF_ASKED: WalletProofPolicy = { from: null, coolOffMs: 0, rateMaxAgeMs: 0 };

/**
 * Whether amounts of assets together reach the limit of a policy. Each counts as what its issuer redeems it in, so that
 * a coin whose price falls is not worth less here; a stale rate counts where none is fresh. What has no rate
 * cannot be measured, and needs the proof too.
 */
export function isProofDue(
  { from, rateMaxAgeMs }: WalletProofPolicy,
  sums: readonly Money[],
  legs: readonly FxLeg[],
  at: Date,
): boolean {
  if (from === null) return false;
  const limit = valueInBase({ currency: PROOF_CURRENCY, minor: from }, '1');
  const worth = worthOf(sums, legs, { at, rateMaxAgeMs });
  return limit === null || worth === null || worth.gte(limit);
}

/** In units of PROOF_CURRENCY. */
function worthOf(
  sums: readonly Money[],
  legs: readonly FxLeg[],
  { at, rateMaxAgeMs }: { readonly at: Date; readonly rateMaxAgeMs: number },
): Rate | null {
  const held = sums.map(({ currency }) => anchorOf(currency) ?? currency);
  const asked = { base: PROOF_CURRENCY, quotes: held, at, maxAgeMs: rateMaxAgeMs };
  const rates = new Map(quoteTable(legs, asked).rows.map(({ quote, rate }) => [quote, rate]));
  let worth = UNIT_RATE.minus(UNIT_RATE);
  for (const [index, sum] of sums.entries()) {
    const value = valueInBase(sum, rates.get(held[index] ?? '') ?? null);
    if (value === null) return null;
    worth = worth.plus(value);
  }
  return worth;
}
