import { randomBytes } from 'node:crypto';
import type { ScopedTransaction } from '../../src/db/client/database.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { insertAcceptedOrders } from '../../src/db/payments/accepted-order-store.ts';
import type { NewFunding } from '../../src/db/payments/payment-funding-store.ts';
import type { PaymentRow } from '../../src/db/payments/payment-store.ts';
import type { QuoteRow } from '../../src/db/payments/quote-store.ts';
import { createFeeSchedule } from '../../src/domain/payments/fees/fee-schedule.ts';
import type { Network } from '../../src/domain/onchain/network.ts';
import type { PaymentDestination } from '../../src/domain/payments/payment-destination.ts';
import { priceOrder } from '../../src/domain/payments/price-order.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { holdTransaction } from '../../src/modules/ledger/ledger-transaction.ts';
import {
  paymentCreated,
  firstVersion,
  priceFields,
} from '../../src/modules/payments/first-version.ts';
import { shownFunding } from '../../src/modules/payments/new-funding.ts';
import { paymentRow } from '../../src/modules/payments/payment-personal.ts';
import { paymentMoney } from '../../src/modules/payments/payment-view.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { createTestVault } from './test-vault.ts';

/** Stores a payment, over SEPA unless told otherwise, as accepting it does, without its gates and without an attempt: row, event, key and held funds. */
export async function storeQueuedPayment(
  tx: ScopedTransaction,
  scope: Scope,
  overrides: Pick<PaymentRow, 'endUserId'> & {
    readonly bankAccountId: string;
    readonly at: Date;
    /** A new one unless given. */
    readonly id?: string;
    /** Minor units; 10.00 EUR unless given. */
    readonly amount?: bigint;
    readonly currency?: string;
    readonly rail?: string;
    /** Goes to it, and to no account. */
    readonly walletId?: string;
    /** Pays by it: amount and currency are what it says. */
    readonly quote?: QuoteRow | null;
    /** Waits for it, and its balance does not pay: what is due is its amount. */
    readonly funding?: Omit<NewFunding, 'paymentId' | 'amountDue'>;
    /** Seals what is personal; the test vault unless given. */
    readonly vault?: Vault;
  },
): Promise<PaymentRow> {
  const { endUserId, bankAccountId, at, quote = null, vault = createTestVault() } = overrides;
  const { amount = quote?.targetAmount ?? 1_000n } = overrides;
  const { currency = quote?.targetCurrency ?? 'EUR', rail = 'SEPA' } = overrides;
  const id = overrides.id ?? newId('pay');
  const funding = overrides.funding && { ...overrides.funding, paymentId: id, amountDue: amount };
  const destination: PaymentDestination =
    overrides.walletId === undefined
      ? { kind: 'BANK', bankAccountId, rail }
      : { kind: 'WALLET', walletId: overrides.walletId, network: rail as Network };
  const order = {
    ...scope,
    id,
    endUserId,
    destination,
    idempotencyKey: `key-${id}`,
    workflowId: `payment/${scope.environment}/${id}`,
    unit: currency,
    amount,
    externalId: null,
    purpose: null,
    personal: vault.sealJson({ reference: null, metadata: {} }, paymentRow(id)),
    ownerKey: null,
    refs: [],
    funding: funding ? shownFunding(funding) : null,
    ...(quote && pricedBy(quote)),
  };
  const payment = firstVersion(order, at);
  const key = payment.idempotencyKey;
  const answer = {
    ...{ key, requestMac: randomBytes(32), statusCode: 201, response: randomBytes(40) },
    ...{ endUserId, resourceId: id },
  };
  const hold = holdTransaction({ paymentId: id, money: paymentMoney(payment) });
  const accepted = {
    payment,
    event: paymentCreated(payment),
    actor: { kind: 'API_KEY', id: 'key_seeded' },
    movements: funding === undefined ? [hold] : [],
    answer,
    attempt: null,
    requestId: newId('req'),
    quote: quote && { id: quote.id, made: null },
    funding: funding ?? null,
    travelRuleRecord: null,
  } as const;
  const isCovered = await insertAcceptedOrders(tx, scope, [accepted], at);
  if (!isCovered) throw new Error(`the ${currency} balance does not cover a seeded payment`);
  return payment;
}

function pricedBy(quote: QuoteRow) {
  const { targetAmount: amount, targetCurrency: currency } = quote;
  const order = { environment: 'test', rail: 'SEPA', country: 'DE', currency, amount } as const;
  const price = priceOrder(order, { schedule: createFeeSchedule(), quote });
  const { id, expiresAt: rateHeldUntil } = quote;
  return priceFields({ price, quote: { id, rateHeldUntil } });
}
