import { findChainStop } from '../../../db/onchain/chain-stop-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { readRates } from '../../../db/payments/fx-rate-store.ts';
import { insertQuote, type QuoteRow } from '../../../db/payments/quote-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import { isStablecoin } from '../../../domain/money/currencies.ts';
import type { Scope } from '../../../domain/scope.ts';
import { draftQuote } from './draft-quote.ts';
import { openFxLimit } from './fx-limit.ts';
import { openPairMoves } from './pair-moves.ts';
import type { QuoteOrder } from './quote-order.ts';
import type { PricingSettings } from './pricing-settings.ts';

/**
 * Makes a quote from the stored rates; no network inside. Emits no event. Refuses with corridor_unavailable where
 * its network is stopped, with rate_unavailable (also where our position would become too large), with amount_below_minimum where nothing would arrive, and with
 * amount_above_maximum where the side that was worked out reaches 10^12.
 */
export async function createQuote(
  deps: { readonly clock: Clock; readonly settings: PricingSettings },
  tx: ScopedTransaction,
  scope: Scope,
  order: QuoteOrder,
): Promise<QuoteRow> {
  const { environment } = scope;
  const { network } = order;
  if (network !== null && (await findChainStop(tx, { environment, network })) !== null) {
    throw refuseField(
      'corridor_unavailable',
      '/network',
      'The network is paused. Try again later.',
    );
  }
  const legs = await readRates(tx);
  const at = deps.clock.now();
  const amount = order.fixedSide === 'SOURCE' ? '/sourceAmount' : '/targetAmount';
  const unit = isStablecoin(order.targetCurrency) ? 'targetAsset' : 'targetCurrency';
  const fields = { currency: `/${unit}`, amount };
  const { settings } = deps;
  const now = { settings, environment, at };
  const moveOf = await openPairMoves(tx, legs, [order], now);
  const circumstances = { ...now, moveOf, fields };
  const draft = draftQuote(legs, order, circumstances);
  const limit = await openFxLimit(tx, scope, legs, { ...now, isToTake: true });
  limit.take(draft, fields);
  return insertQuote(tx, scope, draft);
}
