import { findBankAccount } from '../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import { findWallet } from '../../../db/parties/wallet-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import { mostBeforeFees } from '../../../domain/payments/fees/most-before-fees.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { PaymentOrder } from '../../payments/payment-order.ts';
import { createQuote } from '../../payments/quotes/create-quote.ts';
import type { PricingSettings } from '../../payments/quotes/pricing-settings.ts';

/** For whom a deposit, or what is over of it, is paid, and to where. */
export interface OnwardTarget {
  readonly endUserId: string | null;
  /** One of the two at the most. */
  readonly bankAccountId: string | null;
  readonly walletId: string | null;
}

/** The quote is used in the transaction that makes it. */
const LOCK_FOR = '1m';

/**
 * The payment that `amount` of a deposit becomes: all of it is spent, fees are taken from it and what it buys at the
 * rate of this moment is rounded down. To an account by a quote, stored here and used by the payment;
 * to a wallet in the asset that came. Refuses as quotes do, and with resource_not_found and amount_below_minimum.
 */
export async function onwardOrder(
  deps: { readonly clock: Clock; readonly settings: PricingSettings },
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, bankAccountId, walletId }: OnwardTarget,
  { id, asset, amount }: Pick<DepositRow, 'id' | 'asset' | 'amount'>,
): Promise<PaymentOrder> {
  const order = {
    ...{ endUserId: endUserId ?? '', sourceUnit: asset, funding: null },
    maxSourceAmount: null,
    ...{ externalId: null, reference: null, scheduledFor: null, purpose: null },
    metadata: { depositId: id },
  };
  if (bankAccountId !== null) {
    const account = await findBankAccount(tx, scope, bankAccountId);
    if (account === null)
      throw refuseField(
        'resource_not_found',
        '/bankAccountId',
        'The destination no longer exists. Name an existing bank account or wallet.',
      );
    const { currency: targetCurrency, rail, country } = account;
    const pair = { sourceCurrency: asset, targetCurrency, network: null };
    const paidOut = { rail, country };
    const asked = { ...pair, paidOut, fixedSide: 'SOURCE', amount, lockFor: LOCK_FOR } as const;
    const quote = await createQuote(deps, tx, scope, asked);
    return {
      ...{ ...order, amount: quote.targetAmount, unit: account.currency, quoteId: quote.id },
      destination: { kind: 'BANK', bankAccountId },
    };
  }
  const wallet = walletId === null ? null : await findWallet(tx, scope, walletId);
  if (wallet === null)
    throw refuseField(
      'resource_not_found',
      '/walletId',
      'The destination no longer exists. Name an existing bank account or wallet.',
    );
  const charged = { environment: scope.environment, rail: wallet.network, country: null };
  const paid = mostBeforeFees(amount, (converted) =>
    deps.settings.fees.feesOf({ ...charged, currency: asset, amount: converted }),
  );
  if (paid === 0n) {
    throw refuseField('amount_below_minimum', '/amount', 'The fees consume the whole amount.');
  }
  const destination = { kind: 'WALLET', walletId: wallet.id } as const;
  return { ...order, destination, amount: paid, unit: asset, quoteId: null };
}
