import { createHash } from 'node:crypto';
import { createBatcher } from '../../db/client/batcher.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { lockPartiesForShare, type Parties } from '../../db/parties/party-store.ts';
import { insertFunding, type NewFunding } from '../../db/payments/payment-funding-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { insertPayments, type NewPayment } from '../../db/payments/payment-write-store.ts';
import {
  insertTravelRuleRecords,
  type NewTravelRuleRecord,
} from '../../db/payments/travel-rule-store.ts';
import type { Actor } from '../../domain/actor.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { paymentKindOf } from '../../domain/payments/payment-kind.ts';
import type { Scope } from '../../domain/scope.ts';
import { bindAnswer, type Answered, type AnswerOnceDeps } from '../idempotency/answer-once.ts';
import {
  openKeys,
  type Answer,
  type KeyState,
  type KeyedRequest,
  type RebuildAnswer,
} from '../idempotency/open-keys.ts';
import type { TravelTransfer } from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import { holdTransaction } from '../ledger/ledger-transaction.ts';
import { firstVersion, paymentCreated, priceOf, type PaymentPrice } from './first-version.ts';
import { newFunding, shownFunding } from './new-funding.ts';
import {
  judgeOrders,
  requireAcceptable,
  shortBalance,
  type AcceptableOrder,
  type JudgeDeps,
} from './judge-orders.ts';
import type { PaymentOrder } from './payment-order.ts';
import { newPaymentId } from './payment-id.ts';
import { paymentMoney, paymentRow, paymentView, type PaymentPersonal } from './payment-view.ts';
import type { PricedOrder } from './price-orders.ts';
import { prepareAttempt } from './ready-attempt.ts';
import { rebuildPaymentAnswer } from './rebuild-payment-answer.ts';
import type { PaymentSchedule } from './schedule-payment.ts';
import { settleSync } from './settle-sync.ts';
import { travelRuleRow } from './travel-rule.ts';
import { storeQuotes } from './store-quotes.ts';
import type { Destination } from './transfer-order.ts';
import { transferReference } from './transfer-reference.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeLane } from './work-together.ts';

export interface AcceptDeps extends AnswerOnceDeps, JudgeDeps {}

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
 * end-users, bank accounts, wallets and corridors are looked at, and payments, READY attempts, history, ledger
 * holds, events, deliveries and keys are written. Refusals leave nothing, not even the key. Nothing here
 * touches the network. Requests of one customer, environment and paying balance that come while such a
 * transaction is under way share the next one.
 */
export function createAcceptPayment(deps: AcceptDeps): AcceptPayment {
  const submit = createBatcher<Submitted, Answered<Acceptance>>((items) =>
    acceptTogether(deps, items),
  );
  return (scope, request) =>
    submit(`${scopeLane(scope)}/${balanceLane(request.order)}`, { scope, request });
}

/**
 * Together go orders that one balance pays, for its row is locked; whose a quote is, the quote alone knows. Those
 * that deposits pay for take from none.
 */
const balanceLane = ({ funding, sourceCurrency, quoteId, currency }: PaymentOrder): string =>
  funding === null ? (sourceCurrency ?? quoteId ?? currency) : 'deposits';

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

/**
 * Accepts one payment in a transaction of the caller's, with what else belongs to it; throws the Refusal of one that
 * is not accepted. The caller starts its workflow after the commit; what is lost there, the sweep starts.
 */
export async function acceptWithin(
  deps: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  request: PaymentRequest,
): Promise<Answered<Acceptance>> {
  const [outcome] = await acceptInTransaction(deps, tx, scope, [request]);
  if (outcome === undefined) throw new Error('a request answers one outcome');
  if (outcome.status === 'fulfilled') return outcome.value;
  throw outcome.reason as Error;
}

async function acceptInTransaction(
  deps: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  requests: readonly PaymentRequest[],
): Promise<Outcome[]> {
  const { vault } = deps;
  const now = () => deps.clock.now();
  const rebuild: RebuildAnswer = (_tx, { resourceId }) =>
    rebuildPaymentAnswer(vault, tx, scope, resourceId);
  const { at, states } = await openKeys({ vault, now, rebuild }, tx, scope, requests);
  const free = requests.filter((_request, index) => states[index]?.kind === 'FREE');
  if (free.length === 0) return states.map(outcomeOfKey);
  const orders = free.map(({ order }) => order);
  const parties = await lockPartiesForShare(tx, scope, orders, at);
  const judged = await judgeOrders(deps, tx, scope, { orders, parties, at, isToAccept: true });
  const drafts = new Map(
    free.map((request, index) => [
      request,
      settleSync(() => draftPayment(deps, scope, request, requireAcceptable(judged[index]), at)),
    ]),
  );
  const payments = [...drafts.values()].flatMap((draft) =>
    draft.status === 'fulfilled' ? [draft.value] : [],
  );
  await storeQuotes(tx, scope, payments, at);
  for (const { funding } of payments) {
    if (funding !== null) await insertFunding(tx, scope, funding, at);
  }
  if (payments.length > 0 && !(await insertPayments(tx, scope, payments, at))) {
    throw refuseProblems([shortBalance(payments[0]?.payment.sourceCurrency ?? '')]);
  }
  const records = payments.flatMap(({ record }) => record ?? []);
  await insertTravelRuleRecords(tx, scope, records, at);
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
  readonly quote: PricedOrder['quote'];
  /** What it waits for; null: its balance pays it. */
  readonly funding: NewFunding | null;
  /** Goes with a transfer to a wallet. */
  readonly record: NewTravelRuleRecord | null;
}

/** A payment that is accepted, with all that is written of it. */
function draftPayment(
  deps: AcceptDeps,
  scope: Scope,
  request: PaymentRequest,
  { rail, parties, price, quote, schedule, transfer }: AcceptableOrder,
  at: Date,
): Draft {
  const { order } = request;
  const encode = deps.encoderFor(scope.environment, rail);
  const { ownerKey } = parties;
  if (encode === null) throw new Error('a checked order has a rail that is served');
  const reference = transferReference(deps.vault, scope, request.idempotencyKey, 1);
  const paid = priceOf(price, quote?.id ?? null);
  const kind = paymentKindOf(parties.relationship);
  const id = newPaymentId(deps.vault, scope, request);
  const factory = deps.networks.factoryOf(scope.environment);
  const funding = newFunding(order, { scope, id, price, quote, factory, at });
  const shown = funding && shownFunding(funding);
  const decided = { id, kind, rail, reference, ownerKey, paid, at, schedule, funding: shown };
  const payment = newPayment(deps.vault, scope, request, decided);
  const destination = destinationOf(order, parties);
  const toSend = { number: 1, reference, at };
  const first = { ...payment, paymentId: payment.id, at };
  const text = JSON.stringify(paymentView(payment, [first], deps.vault));
  const subject = { ...payment, resourceId: payment.id };
  return {
    payment,
    quote,
    funding,
    record: transfer && sealRecord(deps.vault, payment, transfer),
    text,
    event: paymentCreated(payment),
    actor: request.actor,
    requestId: request.requestId,
    movements:
      funding === null
        ? [holdTransaction({ paymentId: payment.id, money: paymentMoney(payment) })]
        : [],
    answer: bindAnswer(deps, scope, request, { status: CREATED, text, subject }),
    // One that is for a later day, or waits for a deposit, gets its attempt when it is released.
    attempt:
      schedule.releaseAt === null && funding === null
        ? prepareAttempt({ vault: deps.vault, encode }, payment, destination, toSend)
        : null,
  };
}

/** A VASP that keeps the wallet is asked before anything is sent. */
function sealRecord(
  vault: AcceptDeps['vault'],
  { id: paymentId, endUserId, ownerKey }: PaymentRow,
  transfer: TravelTransfer,
): NewTravelRuleRecord {
  const record = vault.of({ endUserId, ownerKey }).sealJson(transfer, travelRuleRow(paymentId));
  return { paymentId, endUserId, record, status: transfer.vasp === null ? 'STORED' : 'WAITING' };
}

/** Where a checked order goes, as its parties were read. */
function destinationOf({ bankAccountId: id }: PaymentOrder, parties: Parties): Destination {
  const { accountPersonal: personal, country, network, address } = parties;
  if (id !== null && personal !== null && country !== null) {
    return { kind: 'BANK_ACCOUNT', account: { id, country, personal } };
  }
  if (network !== null && address !== null) return { kind: 'WALLET', wallet: { network, address } };
  throw new Error('a checked order has an account or a wallet');
}

/** What of a payment its order does not say. */
interface Decided extends Pick<PaymentRow, 'id' | 'kind' | 'rail' | 'ownerKey' | 'funding'> {
  /** Of its first attempt. */
  readonly reference: string;
  readonly paid: PaymentPrice;
  readonly at: Date;
  readonly schedule: PaymentSchedule;
}

function newPayment(
  vault: AcceptDeps['vault'],
  scope: Scope,
  { order, idempotencyKey }: PaymentRequest,
  { id, kind, rail, reference, ownerKey, paid, at, schedule, funding }: Decided,
): PaymentRow {
  const personal: PaymentPersonal = { reference: order.reference, metadata: order.metadata };
  return firstVersion(
    {
      ...scope,
      ...schedule,
      id,
      kind,
      endUserId: order.endUserId,
      bankAccountId: order.bankAccountId,
      walletId: order.walletId,
      idempotencyKey,
      workflowId: paymentWorkflowId(scope, idempotencyKey),
      rail,
      currency: order.currency,
      amount: order.amount,
      ...paid,
      funding,
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
