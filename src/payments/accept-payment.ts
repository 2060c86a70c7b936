import { createHash } from 'node:crypto';
import { createBatcher } from '../db/batcher.ts';
import type { ScopedTransaction } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { lockPartiesForShare, type Parties } from '../db/party-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { insertPayments, type NewPayment } from '../db/payment-write-store.ts';
import type { Actor } from '../domain/actor.ts';
import type { CorridorTable } from '../domain/corridors/corridor-table.ts';
import { refuseField } from '../domain/errors/refusal.ts';
import { paymentKindOf } from '../domain/payments/payment-kind.ts';
import type { Environment, Scope } from '../domain/scope.ts';
import { bindAnswer, type Answered, type AnswerOnceDeps } from '../idempotency/answer-once.ts';
import {
  openKeys,
  type Answer,
  type KeyState,
  type KeyedRequest,
  type RetellAnswer,
} from '../idempotency/open-keys.ts';
import { holdTransaction } from '../ledger/ledger-transaction.ts';
import { checkOrder } from './check-order.ts';
import { firstVersion, paymentCreated } from './first-version.ts';
import type { PaymentOrder } from './payment-order.ts';
import { paymentMoney, paymentRow, paymentView, type PaymentPersonal } from './payment-view.ts';
import { prepareAttempt, type EncodeTransfer } from './ready-attempt.ts';
import { retellPayment } from './retell-payment.ts';
import { transferReference } from './transfer-reference.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeLane } from './work-together.ts';

export interface AcceptDeps extends AnswerOnceDeps {
  readonly corridors: CorridorTable;
  /** How the environment's connector of a rail writes its orders; null where none pays over the rail. */
  readonly encoderFor: (environment: Environment, rail: string) => EncodeTransfer | null;
}

export interface PaymentRequest extends KeyedRequest {
  readonly order: PaymentOrder;
  readonly actor: Actor;
  /** `req_...`; kept with the payment, so that an operator finds it by what the partner was answered. */
  readonly requestId: string;
}

/** The answer to an accepted payment, and what its workflow is started with. */
export interface Acceptance extends Answer {
  readonly paymentId: string;
  readonly workflowId: string;
}

export type AcceptPayment = (
  scope: Scope,
  request: PaymentRequest,
) => Promise<Answered<Acceptance>>;

/**
 * Accepts payments, or answers what was answered before: one transaction in which the keys are locked,
 * end-users, bank accounts and corridors are looked at, and payments, READY attempts, history, ledger
 * holds, events, deliveries and keys are written. Refusals leave nothing, not even the key. Nothing here
 * touches the network. Requests of one customer, environment and currency that come while such a
 * transaction is under way share the next one.
 */
export function createAcceptPayment(deps: AcceptDeps): AcceptPayment {
  const submit = createBatcher<Submitted, Answered<Acceptance>>((items) =>
    acceptTogether(deps, items),
  );
  return (scope, request) => {
    const { currency } = request.order;
    return submit(`${scopeLane(scope)}/${currency}`, { scope, request });
  };
}

interface Submitted {
  readonly scope: Scope;
  readonly request: PaymentRequest;
}

type Outcome = PromiseSettledResult<Answered<Acceptance>>;

/** All of one scope. Throws, having done nothing, where the balance does not cover all of them. */
async function acceptTogether(deps: AcceptDeps, items: readonly Submitted[]): Promise<Outcome[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { scope } = first;
  const requests = items.map(({ request }) => request);
  const accept = (tx: ScopedTransaction) => acceptInTransaction(deps, tx, scope, requests);
  return deps.db.write(
    scope,
    accept,
    requests.length > 1 ? { lockWaitMs: LOCK_WAIT_TOGETHER_MS } : {},
  );
}

async function acceptInTransaction(
  deps: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  requests: readonly PaymentRequest[],
): Promise<Outcome[]> {
  const { vault } = deps;
  const now = () => deps.clock.now();
  const retell: RetellAnswer = (_tx, { resourceId }) => retellPayment(vault, tx, scope, resourceId);
  const { at, states } = await openKeys({ vault, now, retell }, tx, scope, requests);
  const free = requests.filter((_request, index) => states[index]?.kind === 'FREE');
  if (free.length === 0) return states.map(outcomeOfKey);
  const parties = await lockPartiesForShare(
    tx,
    scope,
    free.map(({ order }) => order),
    at,
  );
  const drafts = new Map(
    free.map((request, index) => [
      request,
      settled(() => draftPayment(deps, scope, request, parties[index], at)),
    ]),
  );
  const payments = [...drafts.values()].flatMap((draft) =>
    draft.status === 'fulfilled' ? [draft.value] : [],
  );
  if (payments.length > 0 && !(await insertPayments(tx, scope, payments, at))) {
    throw refuseField(
      'insufficient_balance',
      '/amount',
      `The available ${payments[0]?.payment.currency ?? ''} balance does not cover the amount.`,
    );
  }
  return requests.map((request, index) => {
    const draft = drafts.get(request);
    if (draft === undefined) return outcomeOfKey(states[index]);
    if (draft.status === 'rejected') return draft;
    const { payment, text } = draft.value;
    const { id: paymentId, workflowId } = payment;
    const answer = { status: CREATED, text, paymentId, workflowId, isReplay: false } as const;
    return { status: 'fulfilled', value: answer };
  });
}

const CREATED = 201;

interface Draft extends NewPayment {
  /** The body of the answer. */
  readonly text: string;
}

/** A payment that may be accepted, with all that is written of it. Throws Refusal where it may not. */
function draftPayment(
  deps: AcceptDeps,
  scope: Scope,
  request: PaymentRequest,
  parties: Parties | undefined,
  at: Date,
): Draft {
  if (parties === undefined) throw new Error('a look at the parties answers one row a payment');
  const { order } = request;
  const { environment } = scope;
  const { rail } = checkOrder(order, parties, {
    corridors: deps.corridors,
    isServed: (one) => deps.encoderFor(environment, one) !== null,
  });
  const encode = deps.encoderFor(environment, rail);
  const { accountPersonal: personal, country, ownerKey } = parties;
  if (encode === null || personal === null || country === null) {
    throw new Error('a checked order has a rail that is served and an account');
  }
  const reference = transferReference(deps.vault, scope, request.idempotencyKey, 1);
  const kind = paymentKindOf(parties.relationship);
  const payment = newPayment(deps.vault, scope, request, { kind, rail, reference, ownerKey, at });
  const account = { id: order.bankAccountId, country, personal };
  const toSend = { number: 1, reference, at };
  const first = { ...payment, paymentId: payment.id, at };
  const text = JSON.stringify(paymentView(payment, [first], deps.vault));
  const subject = { ...payment, resourceId: payment.id };
  return {
    payment,
    text,
    event: paymentCreated(payment),
    actor: request.actor,
    requestId: request.requestId,
    movements: [holdTransaction({ paymentId: payment.id, money: paymentMoney(payment) })],
    answer: bindAnswer(deps, scope, request, { status: CREATED, text, subject }),
    attempt: prepareAttempt({ vault: deps.vault, encode }, payment, account, toSend),
  };
}

/** What of a payment its order does not say. */
interface Decided extends Pick<PaymentRow, 'kind' | 'rail' | 'ownerKey'> {
  /** Of its first attempt. */
  readonly reference: string;
  readonly at: Date;
}

function newPayment(
  vault: AcceptDeps['vault'],
  scope: Scope,
  { order, idempotencyKey }: PaymentRequest,
  { kind, rail, reference, ownerKey, at }: Decided,
): PaymentRow {
  const id = newId('pay');
  const personal: PaymentPersonal = { reference: order.reference, metadata: order.metadata };
  return firstVersion(
    {
      ...scope,
      id,
      kind,
      endUserId: order.endUserId,
      bankAccountId: order.bankAccountId,
      idempotencyKey,
      workflowId: paymentWorkflowId(scope, idempotencyKey),
      rail,
      currency: order.currency,
      amount: order.amount,
      externalId: order.externalId,
      purpose: order.purpose,
      personal: vault.of({ ...order, ownerKey }).sealJson(personal, paymentRow(id)),
      ownerKey,
      refs: [{ type: 'END_TO_END_ID', value: reference }],
    },
    at,
  );
}

/** One key, one workflow: its id is made of the key, hashed because a key may say anything. */
export function paymentWorkflowId(scope: Scope, idempotencyKey: string): string {
  const hash = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 40);
  return `payment/${scope.environment}/${scope.customerId}/${hash}`;
}

function outcomeOfKey(state: KeyState | undefined): Outcome {
  if (state?.kind === 'BOUND') return { status: 'fulfilled', value: state.answer };
  return { status: 'rejected', reason: state?.kind === 'REFUSED' ? state.refusal : undefined };
}

/** What a piece of the work came to, so that one request's refusal concerns it alone. */
function settled<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
