import type { ConnectorRegistry } from '../src/connectors/registry.ts';
import type { PayoutConnector } from '../src/connectors/connector.ts';
import type { Database } from '../src/db/database.ts';
import type { AttemptRow } from '../src/db/settlement-attempt-store.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { CorridorTable } from '../src/domain/corridors/corridor-table.ts';
import { isSettledOrFinal } from '../src/domain/payments/payment-states.ts';
import { laterReferences } from '../src/domain/payments/reference.ts';
import {
  FRUITLESS_SENDS_MAX,
  type SettlementTiming,
} from '../src/domain/payments/settlement-timing.ts';
import type { TransferOrder } from '../src/domain/payments/transfer-order.ts';
import type { TransferAnswer } from '../src/domain/payments/transfer-report.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../src/domain/screening/screening-provider.ts';
import type { Environment, Scope } from '../src/domain/scope.ts';
import {
  advancePayment,
  applyPaymentReports,
  type NextAction,
} from '../src/payments/advance-payment.ts';
import type { Send } from '../src/payments/claim-attempt.ts';
import { createClaimReady } from '../src/payments/claim-ready.ts';
import { holdForFault } from '../src/payments/hold-for-fault.ts';
import { openRequest } from '../src/payments/ready-attempt.ts';
import { recordAnswer } from '../src/payments/record-answer.ts';
import { createRecordSettled } from '../src/payments/record-settled.ts';
import { retryPayment } from '../src/payments/resolve-payment.ts';
import type { Screener } from '../src/screening/screener.ts';
import type { Vault } from '../src/vault/vault.ts';
import { ActivityError } from './failures.ts';
import type { PaymentActivities, PaymentRef } from './types.ts';

export interface PaymentActivityDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly connectors: Pick<ConnectorRegistry, 'payout'>;
  readonly timing: Readonly<Record<Environment, SettlementTiming>>;
  readonly screener: Screener;
  /** For the log: Temporal keeps only that the provider did not answer as agreed. */
  readonly onScreeningFailure: (code: ScreeningFailure, paymentId: string) => void;
}

/** How long a payment waits for a connector that was taken out of the configuration. */
const NO_CONNECTOR_RETRY_MS = 30_000;

/** How long a payment waits that cannot be screened; none leaves unscreened. */
const NO_SCREENING_RETRY_MS = 10_000;

const scopeOf = ({ customerId, environment }: PaymentRef): Scope => ({ customerId, environment });

export function createPaymentActivities(deps: PaymentActivityDeps): PaymentActivities {
  function connectorFor(environment: Environment, rail: string): PayoutConnector {
    const connector = deps.connectors.payout(environment, rail);
    if (connector !== null) return connector;
    throw new ActivityError('BANK_UNREACHABLE', { retryAfterMs: NO_CONNECTOR_RETRY_MS });
  }

  const encoderOf = (environment: Environment) => (rail: string) => {
    const connector = connectorFor(environment, rail);
    return (order: TransferOrder) => connector.encode(order);
  };
  const claimReady = createClaimReady({ ...deps, requireRail: connectorFor });
  const recordSettled = createRecordSettled(deps);

  /** Advances a payment whose parties are looked up on the way where that is due: in the same run. */
  async function advanceScreened(ref: PaymentRef): Promise<Screened> {
    const { environment, paymentId } = ref;
    const scope = scopeOf(ref);
    const advanceDeps = {
      ...deps,
      timing: deps.timing[environment],
      encodeFor: encoderOf(environment),
      screenedSince: (now: Date) => deps.screener.screenedSince(environment, now),
    };
    const next = await advancePayment(advanceDeps, scope, paymentId);
    if (next.kind !== 'SCREEN') return next;
    await deps.screener.screenParties(scope, next.parties).catch((error: unknown) => {
      if (!(error instanceof ScreeningError)) throw error;
      deps.onScreeningFailure(error.code, paymentId);
      throw unscreened();
    });
    const screened = await advancePayment(advanceDeps, scope, paymentId);
    // Another list came into force meanwhile, or names changed again.
    if (screened.kind === 'SCREEN') throw unscreened();
    return screened;
  }

  return {
    async settle(ref) {
      const { environment, paymentId } = ref;
      const scope = scopeOf(ref);
      const timing = deps.timing[environment];
      const claimed = ref.isFirst === true ? await claimReady(scope, paymentId) : null;
      const next =
        claimed === null
          ? await advanceScreened(ref)
          : ({ kind: 'SEND', attempt: claimed.attempt, owner: claimed.payment } as const);
      if (next.kind === 'DONE' || next.kind === 'WAIT') return next;
      const { attempt } = next;
      const { reference, sends } = attempt;
      const connector = connectorFor(environment, attempt.rail);
      const call = { to: next.kind, sends, calledAt: deps.clock.now() };
      const answer =
        next.kind === 'SEND'
          ? await sendInTime({ ...deps, timing }, connector, next)
          : await askAboutLife(connector, attempt, timing);
      const settled = claimed && (await recordSettled({ ...claimed, call, answer }));
      if (settled !== null) return settled;
      const about = { paymentId, reference, call };
      const step = await recordAnswer({ ...deps, timing }, scope, about, answer);
      // Nothing was sent: Temporal's own retry shows the outage, and costs no history.
      if (answer.kind === 'NOT_SENT') throw new ActivityError('BANK_UNREACHABLE');
      return step;
    },

    applyTransferReports(ref) {
      const timing = deps.timing[ref.environment];
      return applyPaymentReports({ ...deps, timing }, scopeOf(ref), ref.paymentId);
    },

    async holdForFault(ref) {
      const status = await holdForFault(deps, scopeOf(ref), ref.paymentId);
      const waitMs = deps.timing[ref.environment].holdCheckMs;
      return isSettledOrFinal(status)
        ? { kind: 'DONE', status }
        : { kind: 'WAIT', waitMs, needsHuman: true };
    },

    resolvePayment(ref) {
      return retryPayment(deps, scopeOf(ref), ref.paymentId, ref.resolution);
    },
  };
}

type Screened = Exclude<NextAction, { readonly kind: 'SCREEN' }>;

const unscreened = () =>
  new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: NO_SCREENING_RETRY_MS });

/**
 * Asks where an attempt is. After a restore, "never seen" counts only where the bank has not seen the
 * references of later attempts either: the lost life may have paid under one of those.
 */
async function askAboutLife(
  connector: PayoutConnector,
  { reference, isRestored }: AttemptRow,
  { bankTimeoutMs: timeoutMs }: SettlementTiming,
): Promise<TransferAnswer> {
  const answer = await connector.ask(reference, { timeoutMs });
  if (!isRestored || answer.kind !== 'NEVER_SEEN') return answer;
  const later = laterReferences(reference, FRUITLESS_SENDS_MAX - 1);
  const answers = await Promise.all(later.map((one) => connector.ask(one, { timeoutMs })));
  const isFree = answers.every(({ kind }) => kind === 'NEVER_SEEN');
  return isFree ? answer : { kind: 'SILENCE', why: 'LATER_REFERENCE_UNCLEAR' };
}

/**
 * Sends the committed bytes of an attempt, once, unless so much time has passed since the commit that
 * the answer could come after the deadline: then nothing is sent, and that is known.
 */
export async function sendInTime(
  deps: { readonly vault: Vault; readonly clock: Clock; readonly timing: SettlementTiming },
  connector: PayoutConnector,
  { attempt, owner }: Send,
): Promise<TransferAnswer> {
  const { reference } = attempt;
  const body = openRequest(deps.vault, owner, attempt);
  const { bankTimeoutMs } = deps.timing;
  const leftMs = attempt.deadlineAt.getTime() - deps.clock.now().getTime();
  if (leftMs < bankTimeoutMs) return { kind: 'NOT_SENT', why: 'TOO_LATE' };
  return connector.submit({ reference, body }, { timeoutMs: bankTimeoutMs });
}
