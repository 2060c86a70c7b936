import { createHash } from 'node:crypto';
import type { Parties } from '../../db/parties/party-store.ts';
import type { NewFunding } from '../../db/payments/payment-funding-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AcceptedOrder } from '../../db/payments/payment-write-store.ts';
import type { NewTravelRuleRecord } from '../../db/payments/travel-rule-store.ts';
import type { Actor } from '../../domain/actor.ts';
import { railOf, type PaymentDestination } from '../../domain/payments/payment-destination.ts';
import { paymentKindOf } from '../../domain/payments/payment-kind.ts';
import type { TravelTransfer } from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { bindAnswer } from '../idempotency/answer-once.ts';
import type { KeyedRequest } from '../idempotency/open-keys.ts';
import { holdTransaction } from '../ledger/ledger-transaction.ts';
import type { Beneficiary } from './beneficiary.ts';
import { requireAcceptable, type CheckDeps } from './check-orders.ts';
import { firstVersion, paymentCreated, priceFields } from './first-version.ts';
import { newFunding, shownFunding } from './new-funding.ts';
import { orderArrival } from './order-arrival.ts';
import type { OrderCheck } from './order-check.ts';
import { newPaymentId } from './payment-id.ts';
import type { PaymentOrder } from './payment-order.ts';
import { paymentRow, type PaymentPersonal } from './payment-personal.ts';
import { paymentMoney, paymentView } from './payment-view.ts';
import { prepareAttempt } from './ready-attempt.ts';
import { servedIn } from './served-corridors.ts';
import { transferReference } from './transfer-reference.ts';
import { travelRuleRow } from './travel-rule.ts';

export interface PaymentRequest extends KeyedRequest {
  readonly order: PaymentOrder;
  readonly actor: Actor;
  /** `req_...`; kept with the payment, so that an operator finds it by what the partner was answered. */
  readonly requestId: string;
}

/** The status of the answer to an accepted payment. */
export const CREATED = 201;

/**
 * Makes all that acceptance writes of an order, and the body of its answer. Nothing is written here. Throws the
 * Refusal of an order that something is in the way of.
 */
export function acceptOrder(
  deps: Pick<CheckDeps, 'vault' | 'corridors' | 'networks' | 'encoderFor'>,
  scope: Scope,
  request: PaymentRequest,
  check: OrderCheck | undefined,
  at: Date,
): { readonly accepted: AcceptedOrder; readonly text: string } {
  if (check === undefined) throw new Error('checks are as many as orders');
  const { vault } = deps;
  const { order, idempotencyKey, actor, requestId } = request;
  const acceptable = requireAcceptable(check);
  const { parties, destination, pricing, schedule, transfer } = acceptable;
  const encode = deps.encoderFor(scope.environment, railOf(destination));
  if (encode === null) throw new Error('a checked order has a rail that is served');
  const id = newPaymentId(vault, scope, request);
  const reference = transferReference(vault, scope, idempotencyKey, 1);
  const factory = deps.networks.factoryOf(scope.environment);
  const funding = newFunding(order, { scope, id, pricing, factory, at });
  const payment = buildPayment(vault, scope, request, acceptable, { id, reference, funding, at });
  const beneficiary = beneficiaryOf(destination, parties);
  const hold = holdTransaction({ paymentId: id, money: paymentMoney(payment) });
  const arrival = orderArrival(check.route, servedIn(deps, scope.environment), {
    from: schedule.releaseAt ?? at,
    awaitsDeposit: funding !== null,
  });
  const history = [{ ...payment, paymentId: id, at }];
  const text = JSON.stringify(paymentView(payment, { history, arrival }, vault));
  const subject = { ...payment, resourceId: id };
  const accepted = {
    payment,
    event: paymentCreated(payment),
    actor,
    requestId,
    movements: funding === null ? [hold] : [],
    answer: bindAnswer(deps, scope, request, { status: CREATED, text, subject }),
    // One that is for a later day, or waits for a deposit, gets its attempt when it is released.
    attempt:
      schedule.releaseAt === null && funding === null
        ? prepareAttempt({ vault, encode }, payment, beneficiary, { number: 1, reference, at })
        : null,
    quote: pricing.quote,
    funding,
    travelRuleRecord: transfer && sealRecord(vault, payment, transfer),
  };
  return { accepted, text };
}

/** The payment at its first version. `reference` is of its first attempt. */
function buildPayment(
  vault: Vault,
  scope: Scope,
  { order, idempotencyKey }: PaymentRequest,
  { parties, destination, pricing, schedule }: ReturnType<typeof requireAcceptable>,
  {
    id,
    reference,
    funding,
    at,
  }: {
    readonly id: string;
    readonly reference: string;
    readonly funding: NewFunding | null;
    readonly at: Date;
  },
): PaymentRow {
  const { endUserId, unit, amount, externalId, purpose, maxSourceAmount } = order;
  const { ownerKey } = parties;
  const personal: PaymentPersonal = { reference: order.reference, metadata: order.metadata };
  return firstVersion(
    {
      ...{ ...scope, ...schedule, ...priceFields(pricing) },
      ...{ maxSourceAmount, requoteUntil: pricing.quote?.requoteUntil ?? null },
      ...{
        id,
        idempotencyKey,
        endUserId,
        destination,
        unit,
        amount,
        externalId,
        purpose,
        ownerKey,
      },
      kind: paymentKindOf(parties.relationship),
      workflowId: paymentWorkflowId(scope, idempotencyKey),
      funding: funding && shownFunding(funding),
      personal: vault.of({ endUserId, ownerKey }).sealJson(personal, paymentRow(id)),
      refs: [{ type: 'END_TO_END_ID', value: reference }],
    },
    at,
  );
}

/** A VASP that keeps the wallet is asked before anything is sent. */
function sealRecord(
  vault: Vault,
  { id: paymentId, endUserId, ownerKey }: PaymentRow,
  transfer: TravelTransfer,
): NewTravelRuleRecord {
  const record = vault.of({ endUserId, ownerKey }).sealJson(transfer, travelRuleRow(paymentId));
  return { paymentId, endUserId, record, status: transfer.vasp === null ? 'STORED' : 'WAITING' };
}

/** Whom a checked order pays, as its parties were read. */
function beneficiaryOf(destination: PaymentDestination, parties: Parties): Beneficiary {
  const { accountPersonal: personal, country, address } = parties;
  if (destination.kind === 'WALLET' && address !== null) {
    return { kind: 'WALLET', wallet: { network: destination.network, address } };
  }
  if (destination.kind === 'BANK' && personal !== null && country !== null) {
    return { kind: 'BANK', account: { id: destination.bankAccountId, country, personal } };
  }
  throw new Error('a checked order has an account or a wallet');
}

/** One key, one workflow: its id is made of the key, hashed because a key may say anything. */
export function paymentWorkflowId(scope: Scope, idempotencyKey: string): string {
  const hash = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 40);
  return `payment/${scope.environment}/${scope.customerId}/${hash}`;
}
