import type { ConnectorRegistry } from '../../src/domain/payments/connector-registry.ts';
import type { PayoutConnector } from '../../src/domain/payments/connector.ts';
import type { Database } from '../../src/db/client/database.ts';
import type { AttemptRow } from '../../src/db/payments/settlement-attempt-store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { ListedNetworks } from '../../src/domain/onchain/listed-networks.ts';
import type { CorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import { isSettledOrFinal } from '../../src/domain/payments/payment-states.ts';
import { knownBefore, unclearBefore } from '../../src/domain/payments/paid-before-restore.ts';
import { laterReferences } from '../../src/domain/payments/reference.ts';
import {
  FRUITLESS_SENDS_MAX,
  type SettlementTiming,
} from '../../src/domain/payments/settlement-timing.ts';
import type { TransferOrder } from '../../src/domain/payments/transfer-order.ts';
import type { AskAnswer, TransferAnswer } from '../../src/domain/payments/transfer-report.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../../src/domain/parties/screening/screening-provider.ts';
import type { Environment, Scope } from '../../src/domain/scope.ts';
import {
  TravelRuleError,
  type TravelRuleFailure,
} from '../../src/domain/payments/travel-rule/travel-rule-provider.ts';
import {
  advancePayment,
  applyPaymentReports,
  type NextAction,
} from '../../src/modules/payments/advance-payment.ts';
import { askLostLife, type LostLifeAnswer } from '../../src/modules/payments/ask-lost-life.ts';
import type { Send } from '../../src/modules/payments/claim-attempt.ts';
import { createClaimReady } from '../../src/modules/payments/claim-ready.ts';
import { holdForFault } from '../../src/modules/payments/hold-for-fault.ts';
import { openEncodedTransfer } from '../../src/modules/payments/ready-attempt.ts';
import { askVasp, type TravelRuleProviders } from '../../src/modules/payments/ask-vasp.ts';
import { recordAnswer } from '../../src/modules/payments/record-answer.ts';
import { createRecordSettled } from '../../src/modules/payments/record-settled.ts';
import { retryPayment } from '../../src/modules/payments/resolve-payment.ts';
import type { Screener } from '../../src/modules/parties/screening/screener.ts';
import type { Vault } from '../../src/vault/vault.ts';
import type { AddressScreening } from '../../src/modules/parties/wallets/look-up-address.ts';
import { screenWallet } from '../../src/modules/parties/wallets/screen-wallet.ts';
import { ActivityError } from '../failures.ts';
import type { PaymentActivities, PaymentRef } from '../types.ts';

export interface PaymentActivityDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly networks: ListedNetworks;
  readonly connectors: Pick<ConnectorRegistry, 'payout' | 'payouts'>;
  readonly timing: Readonly<Record<Environment, SettlementTiming>>;
  readonly screener: Screener;
  /** Looks the addresses of wallets up. */
  readonly addressScreening: AddressScreening;
  /** Carries records to the VASPs that keep wallets. */
  readonly travelRule?: TravelRuleProviders;
  /** For the log: the payment waits on. */
  readonly onTravelRuleFailure?: (code: TravelRuleFailure, paymentId: string) => void;
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

  async function lookUp(scope: Scope, { parties, walletId }: Unscreened): Promise<void> {
    await deps.screener.screenParties(scope, parties);
    if (walletId !== null) await screenWallet(deps, scope, walletId);
  }

  /** Advances a payment about which rails are asked on the way, where a lost life may have sent it: in the same run. */
  async function advanceAsked(ref: PaymentRef): Promise<Asked> {
    const next = await advanceScreened(ref, null);
    if (next.kind !== 'ASK_LOST_LIFE') return next;
    const { environment, paymentId } = ref;
    const { bankTimeoutMs } = deps.timing[environment];
    const rails = deps.connectors.payouts(environment);
    const isServed = deps.connectors.payout(environment, next.rail) !== null;
    const lostLife = await askLostLife(isServed ? rails : [], next.reference, bankTimeoutMs);
    const asked = await advanceScreened(ref, lostLife);
    if (asked.kind !== 'ASK_LOST_LIFE') return asked;
    throw new Error(`payment ${paymentId}: its rails were asked`);
  }

  /** Likewise one whose parties are looked up on the way where that is due. */
  async function advanceScreened(
    ref: PaymentRef,
    lostLife: LostLifeAnswer | null,
  ): Promise<Screened> {
    const { environment, paymentId } = ref;
    const scope = scopeOf(ref);
    const advanceDeps = {
      ...deps,
      timing: deps.timing[environment],
      encodeFor: encoderOf(environment),
      screenedSince: (now: Date) => deps.screener.screenedSince(environment, now),
    };
    const advance = () => advancePayment(advanceDeps, scope, paymentId, lostLife);
    const next = await advance();
    if (next.kind === 'VASP') return advanceAnswered(ref, advance);
    if (next.kind !== 'SCREEN') return next;
    await lookUp(scope, next).catch((error: unknown) => {
      if (!(error instanceof ScreeningError)) throw error;
      deps.onScreeningFailure(error.code, paymentId);
      throw unscreened();
    });
    const screened = await advance();
    if (screened.kind === 'VASP') return advanceAnswered(ref, advance);
    // Another list came into force meanwhile, or names changed again.
    if (screened.kind === 'SCREEN') throw unscreened();
    return screened;
  }

  /** Asks the VASP that keeps the wallet, and advances the payment by its answer; without one it waits. */
  async function advanceAnswered(
    ref: PaymentRef,
    advance: () => Promise<NextAction>,
  ): Promise<Screened> {
    const { travelRule = {}, onTravelRuleFailure } = deps;
    await askVasp({ ...deps, travelRule }, scopeOf(ref), ref.paymentId).catch((error: unknown) => {
      if (!(error instanceof TravelRuleError)) throw error;
      onTravelRuleFailure?.(error.code, ref.paymentId);
    });
    const next = await advance();
    if (next.kind === 'VASP') return { kind: 'WAIT', waitMs: next.waitMs, needsHuman: false };
    if (next.kind === 'SCREEN') throw unscreened();
    return next;
  }

  return {
    async settle(ref) {
      const { environment, paymentId } = ref;
      const scope = scopeOf(ref);
      const timing = deps.timing[environment];
      const claimed = ref.isFirst === true ? await claimReady(scope, paymentId) : null;
      const next =
        claimed === null
          ? await advanceAsked(ref)
          : ({ kind: 'SEND', attempt: claimed.attempt, owner: claimed.payment } as const);
      if (next.kind === 'DONE' || next.kind === 'WAIT') return next;
      const { attempt } = next;
      const { reference, sends } = attempt;
      const connector = connectorFor(environment, attempt.rail);
      const call = { to: next.kind, sends, calledAt: deps.clock.now() };
      const answer =
        next.kind === 'SEND'
          ? await sendInTime({ ...deps, timing }, connector, next)
          : await askAboutLife(connector, deps.connectors.payouts(environment), attempt, timing);
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

type Screened = Exclude<NextAction, { readonly kind: 'SCREEN' | 'VASP' }>;
type Asked = Exclude<Screened, { readonly kind: 'ASK_LOST_LIFE' }>;
type Unscreened = Extract<NextAction, { readonly kind: 'SCREEN' }>;

const unscreened = () =>
  new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: NO_SCREENING_RETRY_MS });

/**
 * Asks where an attempt is. After a restore, "never seen" counts only where the bank has not seen the references of later
 * attempts either, and no other rail has it: the lost life may have paid under one of those, or over another rail.
 */
async function askAboutLife(
  connector: PayoutConnector,
  rails: readonly PayoutConnector[],
  { reference, isRestored }: AttemptRow,
  { bankTimeoutMs: timeoutMs }: SettlementTiming,
): Promise<TransferAnswer> {
  const answer = await connector.ask(reference, { timeoutMs });
  if (!isRestored || answer.kind !== 'NEVER_SEEN') return answer;
  const later = laterReferences(reference, FRUITLESS_SENDS_MAX - 1);
  const ask = (rail: PayoutConnector, references: readonly string[]) =>
    references.map(async (one) => ({ rail, one, answer: await rail.ask(one, { timeoutMs }) }));
  const others = rails.filter((rail) => rail !== connector);
  const asked = await Promise.all([
    ...ask(connector, later),
    ...others.flatMap((rail) => ask(rail, [reference, ...later])),
  ]);
  const unclear = asked.filter((said) =>
    said.rail === connector ? said.answer.kind !== 'NEVER_SEEN' : !movesNothing(said.answer),
  );
  const known = unclear.find((said) => said.answer.kind === 'REPORT');
  if (known !== undefined) return silent(knownBefore(known.one, known.rail.name));
  const [first] = unclear;
  return first === undefined ? answer : silent(unclearBefore(first.one, first.rail.name));
}

const silent = (why: string) => ({ kind: 'SILENCE', why }) as const;

const movesNothing = (answer: AskAnswer): boolean =>
  answer.kind === 'NEVER_SEEN' || (answer.kind === 'REPORT' && answer.report.status === 'REJECTED');

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
  const encodedTransfer = openEncodedTransfer(deps.vault, owner, attempt);
  const { bankTimeoutMs } = deps.timing;
  const leftMs = attempt.deadlineAt.getTime() - deps.clock.now().getTime();
  if (leftMs < bankTimeoutMs) return { kind: 'NOT_SENT', why: 'TOO_LATE' };
  return connector.submit({ reference, encodedTransfer }, { timeoutMs: bankTimeoutMs });
}
