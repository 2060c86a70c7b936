import { createHash } from 'node:crypto';
import { newId } from '../db/new-id.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { insertPayment } from '../db/payment-write-store.ts';
import type { Actor } from '../domain/actor.ts';
import { refuseField } from '../domain/errors/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import {
  answerOnce,
  type Answer,
  type Answered,
  type AnswerOnceDeps,
  type KeyedRequest,
} from '../idempotency/answer-once.ts';
import { postHold } from '../ledger/post-movement.ts';
import type { Vault } from '../vault/vault.ts';
import { checkOrder, type ServesRail } from './check-order.ts';
import type { PaymentOrder } from './payment-order.ts';
import { paymentMoney, paymentRow, paymentView, type PaymentPersonal } from './payment-view.ts';
import { paymentCreated, firstVersion } from './first-version.ts';

export interface AcceptDeps extends AnswerOnceDeps {
  readonly servesRail: ServesRail;
}

export interface PaymentRequest extends KeyedRequest {
  readonly order: PaymentOrder;
  readonly actor: Actor;
}

/** The answer to an accepted payment, and what its workflow is started with. */
export interface Acceptance extends Answer {
  readonly paymentId: string;
  readonly workflowId: string;
}

/**
 * Accepts a payment, or answers what was answered before: one transaction in which the key is locked,
 * end-user, bank account and corridor are looked at, and payment, history, ledger hold, event,
 * deliveries and key are written. Refusals leave nothing, not even the key. Nothing here touches the
 * network.
 */
export function acceptPayment(
  deps: AcceptDeps,
  scope: Scope,
  request: PaymentRequest,
): Promise<Answered<Acceptance>> {
  return answerOnce(deps, scope, request, async (tx, { at, takeBinding }) => {
    const corridor = await checkOrder(tx, scope, request.order, deps.servesRail);
    const payment = newPayment(deps.vault, scope, request, corridor.rail, at);
    const first = { ...payment, paymentId: payment.id, at };
    const text = JSON.stringify(paymentView(payment, [first], deps.vault));
    const answer = { status: 201, text };
    const event = paymentCreated(payment);
    // The key is bound in the same statement, for ever: it must never exist without the payment.
    await insertPayment(tx, scope, payment, event, takeBinding(answer), request.actor);
    // Last, so that the balance every payment of the customer needs is locked as briefly as can be.
    const moving = { paymentId: payment.id, money: paymentMoney(payment) };
    const isCovered = await postHold(tx, scope, moving, at);
    if (!isCovered) {
      throw refuseField(
        'insufficient_balance',
        '/amount',
        `The available ${payment.currency} balance does not cover the amount.`,
      );
    }
    return { ...answer, paymentId: payment.id, workflowId: payment.workflowId };
  });
}

function newPayment(
  vault: Vault,
  scope: Scope,
  request: PaymentRequest,
  rail: string,
  now: Date,
): PaymentRow {
  const { order, idempotencyKey } = request;
  const id = newId('pay');
  const personal: PaymentPersonal = { reference: order.reference, metadata: order.metadata };
  return firstVersion(
    {
      ...scope,
      id,
      endUserId: order.endUserId,
      bankAccountId: order.bankAccountId,
      idempotencyKey,
      workflowId: paymentWorkflowId(scope, idempotencyKey),
      rail,
      currency: order.currency,
      amount: order.amount,
      externalId: order.externalId,
      purpose: order.purpose,
      personal: vault.sealJson(personal, paymentRow(id)),
    },
    now,
  );
}

/** One key, one workflow: its id is made of the key, hashed because a key may say anything. */
export function paymentWorkflowId(scope: Scope, idempotencyKey: string): string {
  const hash = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 40);
  return `payment/${scope.environment}/${scope.customerId}/${hash}`;
}
