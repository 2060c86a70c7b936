import { parse } from 'lossless-json';
import { expect } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import type { PayoutConnector } from '../../../src/domain/payments/connector.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { destinationIds } from '../../../src/domain/payments/payment-destination.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { PaymentOrder } from '../../../src/modules/payments/payment-order.ts';
import { bodyFingerprint } from '../../../src/api/body-fingerprint.ts';
import type { PaymentRequest } from '../../../src/modules/payments/accept-order.ts';
import {
  createAcceptPayment,
  type Acceptance,
} from '../../../src/modules/payments/accept-payment.ts';
import type { Answered } from '../../../src/modules/idempotency/answer-once.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import {
  createFaultyDatabase,
  type FaultyDatabase,
  type Fault,
  type SentStatement,
} from '../faulty-database.ts';
import type { PaymentHarness, Payer } from '../payment-harness.ts';
import { NEVER_SEEN, says } from './scripted-bank.ts';
import { startScriptedHarness, TIMING, type ScriptedHarness } from './settlement-harness.ts';

/** A process of its own: connections, batch keys and all that it remembers. */
export interface EngineProcess extends FaultyDatabase {
  accept(keyed: Keyed): Promise<Answered<Acceptance>>;
  settle(ref: Ref): Promise<PaymentStep>;
  /** In one turn of the event loop: the first goes alone, what comes behind it shares the next transaction. */
  acceptAll(requests: readonly Keyed[]): Promise<PromiseSettledResult<Answered<Acceptance>>[]>;
  settleAll(refs: readonly Ref[]): Promise<PromiseSettledResult<PaymentStep>[]>;
  close(): Promise<void>;
}

export interface Keyed {
  readonly scope: Scope;
  readonly request: PaymentRequest;
}

export interface Ref extends Scope {
  readonly paymentId: string;
}

export interface ProcessOptions {
  readonly faultAt?: (statement: SentStatement) => Fault | null;
  /** Answers of the bank are handed on when so many of them are there. */
  readonly answersTogether?: number;
}

function startProcess(
  harness: ScriptedHarness,
  { faultAt, answersTogether = 1 }: ProcessOptions = {},
): EngineProcess {
  const faulty = createFaultyDatabase(harness.database.url, faultAt);
  const deps = { ...harness.deps, db: faulty.db };
  const acceptPayment = createAcceptPayment(deps);
  const accept = ({ scope, request }: Keyed) => acceptPayment(scope, request);
  const connector = {
    ...harness.connector,
    ...answeringTogether(harness.connector, answersTogether),
  };
  const activities = createPaymentActivities({
    ...{ db: faulty.db, vault: harness.vault, clock: harness.clock },
    corridors: harness.deps.corridors,
    networks: harness.deps.networks,
    connectors: createConnectorRegistry(
      (['test', 'live'] as const).map((environment) => ({
        ...{ environment, payout: connector, statements: null },
      })),
    ),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  const settle = (ref: Ref) => activities.settle({ ...ref, isFirst: true });
  return {
    ...faulty,
    accept,
    settle,
    acceptAll: (requests) => Promise.allSettled(requests.map(accept)),
    settleAll: (refs) => Promise.allSettled(refs.map(settle)),
    close: () => faulty.db.close(),
  };
}

function answeringTogether(
  connector: PayoutConnector,
  count: number,
): Pick<PayoutConnector, 'submit'> {
  let there = 0;
  let open: () => void = () => undefined;
  const allThere = new Promise<void>((resolve) => (open = resolve));
  return {
    async submit(transfer, limit) {
      const answer = await connector.submit(transfer, limit);
      there += 1;
      if (there >= count) open();
      await allThere;
      return answer;
    },
  };
}

/** An order of 10.00 EUR as POST /payments reads it, under a key; the same key and body over HTTP repeats it. */
export function keyed(payer: Payer, key: string, overrides: Partial<PaymentOrder> = {}): Keyed {
  const { endUserId, bankAccountId } = payer;
  const order = {
    ...{ endUserId, amount: 1_000n, unit: 'EUR' },
    destination: { kind: 'BANK', bankAccountId } as const,
    ...{
      sourceUnit: null,
      quoteId: null,
      maxSourceAmount: null,
      funding: null,
      scheduledFor: null,
    },
    ...{ externalId: null, reference: null, purpose: null, metadata: {}, ...overrides },
  };
  const body = bodyOf(order);
  const fingerprint = bodyFingerprint({
    ...{ method: 'POST', path: '/payments', decimalFields: ['amount'] },
    losslessBody: parse(JSON.stringify(body)),
  });
  const actor = { kind: 'API_KEY', id: 'key_sample' } as const;
  const request = { idempotencyKey: key, fingerprint, order, actor, requestId: newId('req') };
  return { scope: payer.scope, request };
}

/** What a partner sends for it. */
export function bodyOf({ endUserId, destination, amount, unit: currency }: PaymentOrder) {
  const digits = amount.toString().padStart(3, '0');
  return {
    endUserId,
    bankAccountId: destinationIds(destination).bankAccountId,
    amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`,
    currency,
  };
}

export const keys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_none, n) => `${name}-${String(n)}`);

export interface TogetherHarness extends ScriptedHarness {
  /** Another process; `endProcesses` closes it. */
  start(options?: ProcessOptions): EngineProcess;
  endProcesses(): Promise<void>;
  /** An empty journal, and a bank that settles what it is sent and keeps the contract. */
  resetBank(): void;
  /** Drives payments to their end: every one is COMPLETED, and at the bank its money moved once. */
  expectPaidOnce(refs: readonly Ref[]): Promise<void>;
  /** Nothing is half written, and the books hold. */
  expectAllWritten(): Promise<void>;
}

export async function startTogetherHarness(): Promise<TogetherHarness> {
  const harness = await startScriptedHarness();
  const { bank } = harness;
  let open: EngineProcess[] = [];
  async function endProcesses(): Promise<void> {
    await Promise.all(open.map((one) => one.close()));
    open = [];
  }
  return {
    ...harness,
    start(options) {
      const started = startProcess(harness, options);
      open.push(started);
      return started;
    },
    endProcesses,
    resetBank() {
      bank.calls.length = 0;
      bank.onPut = says('SETTLED');
      bank.onGet = (call) => {
        const isKnown = bank.puts().some(({ reference }) => reference === call.reference);
        return isKnown ? says('SETTLED')(call) : NEVER_SEEN;
      };
    },
    async expectPaidOnce(refs) {
      for (const { paymentId } of refs) {
        const { payment, attempts } = await harness.drive(paymentId);
        expect(payment.status).toBe('COMPLETED');
        const references = attempts.map(({ reference }) => reference);
        const moved = bank.puts().filter(({ reference }) => references.includes(reference));
        expect(moved, paymentId).toHaveLength(1);
      }
    },
    async expectAllWritten() {
      expect(await halfWritten(harness)).toEqual([]);
      await harness.expectBooksToHold();
    },
    async close() {
      await endProcesses();
      await harness.close();
    },
  };
}

/** A fault in the `nth` transaction of a process. */
export const faultIn =
  (nth: number, place: number | 'COMMIT', fault: Fault) =>
  ({ text, transaction, place: reached }: SentStatement): Fault | null => {
    const isThere = place === 'COMMIT' ? text === 'COMMIT' : reached === place;
    return transaction === nth && isThere ? fault : null;
  };

type Death = readonly [when: string, place: number | 'COMMIT', fault: Fault];

/** Every moment at which a process can end in a transaction of so many statements. */
export const everyDeath = (statements: number): Death[] => [
  ...Array.from({ length: statements }, (_none, n): Death => {
    return [`before statement ${String(n + 1)} of ${String(statements)}`, n + 1, 'DIES_BEFORE'];
  }),
  ['once COMMIT was done', 'COMMIT', 'DIES_AFTER'],
];

/** Payments accepted one by one, as the refs of their workflows. */
export async function acceptMany(harness: ScriptedHarness, count: number): Promise<Ref[]> {
  const refs = [];
  for (let n = 0; n < count; n += 1) {
    refs.push({ ...harness.scope, paymentId: await harness.accept() });
  }
  return refs;
}

/** Payments that lack anything that is written with them, or have it twice; keys without their payment. */
const halfWritten = (harness: Pick<PaymentHarness, 'rows'>) =>
  harness.rows(
    `SELECT p.id FROM payments p
     WHERE (SELECT count(*) FROM idempotency_keys k WHERE k.customer_id = p.customer_id
         AND k.environment = p.environment AND k.key = p.idempotency_key) <> 1
       OR (SELECT count(*) FROM settlement_attempts a WHERE a.payment_id = p.id) <> 1
       OR (SELECT count(*) FROM payment_history h WHERE h.payment_id = p.id) <> p.version
       OR (SELECT count(*) FROM events e WHERE e.resource_id = p.id) <> p.version
       OR (SELECT count(*) FROM ledger_transactions t
           WHERE t.payment_id = p.id AND t.kind = 'HOLD') <> 1
     UNION ALL
     SELECT k.key FROM idempotency_keys k WHERE NOT EXISTS (SELECT FROM payments p
       WHERE p.customer_id = k.customer_id AND p.environment = k.environment
         AND p.idempotency_key = k.key)
     UNION ALL
     SELECT t.id FROM ledger_transactions t WHERE t.payment_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM payments p WHERE p.id = t.payment_id)`,
  );
