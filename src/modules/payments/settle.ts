import type { ConnectorRegistry } from '../../domain/payments/connector-registry.ts';
import type { PayoutConnector } from '../../domain/payments/connector.ts';
import type { PaymentStep } from '../../domain/payments/next-step.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { TransferOrder } from '../../domain/payments/transfer-order.ts';
import {
  TravelRuleError,
  type TravelRuleFailure,
} from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../../domain/parties/screening/screening-provider.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { Screener } from '../parties/screening/screener.ts';
import type { AddressScreening } from '../parties/wallets/look-up-address.ts';
import { screenWallet } from '../parties/wallets/screen-wallet.ts';
import { advancePayment, type AdvanceDeps, type NextAction } from './advance-payment.ts';
import { askAfterRestore, type AnswerAfterRestore } from './ask-after-restore.ts';
import { askVasp, type TravelRuleProviders } from './ask-vasp.ts';
import { askAboutAttempt, sendInTime } from './call-bank.ts';
import type { BankCall } from './claim-attempt.ts';
import { createClaimReady, type ClaimReadyDeps } from './claim-ready.ts';
import type { AskAfterRestore } from './expire-or-wait.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import { recordAnswer } from './record-answer.ts';
import { createRecordSettled } from './record-settled.ts';

export interface SettleDeps extends Omit<ClaimReadyDeps, 'requireRail' | 'screener'> {
  readonly connectors: Pick<ConnectorRegistry, 'payout' | 'payouts'>;
  readonly timing: Readonly<Record<Environment, SettlementTiming>>;
  readonly screener: Screener;
  /** What a payment costs that is priced anew. */
  readonly settings: PricingSettings;
  /** Screens the addresses of wallets. */
  readonly addressScreening: AddressScreening;
  /** Carries records to the VASPs that keep wallets. */
  readonly travelRule?: TravelRuleProviders;
  /** For the log: the payment waits on. */
  readonly onTravelRuleFailure?: (code: TravelRuleFailure, paymentId: string) => void;
  /** For the log: callers learn only that the payment is UNSCREENED. */
  readonly onScreeningFailure: (code: ScreeningFailure, paymentId: string) => void;
}

/**
 * Why a step cannot be taken now. NO_CONNECTOR: no connector serves the payment's rail. UNSCREENED: a payment must be
 * screened first, and could not be. NOT_SENT: the bank could not be reached, and the database says that nothing was
 * sent.
 */
export type SettleProblem = 'NO_CONNECTOR' | 'UNSCREENED' | 'NOT_SENT';

/** The step cannot be taken now; taking it later is safe, and finds whatever was committed. */
export class SettleLater extends Error {
  readonly problem: SettleProblem;

  constructor(problem: SettleProblem) {
    super(`the payment cannot be settled now: ${problem}`);
    this.name = 'SettleLater';
    this.problem = problem;
  }
}

/** Takes a payment's next step. `isFirst`: a READY attempt is looked for, as it may be the first step with the bank. */
export type Settle = (scope: Scope, paymentId: string, isFirst: boolean) => Promise<PaymentStep>;

/**
 * Takes the next step of a payment, whatever PostgreSQL says that is: decides it and commits it, calls the bank at most
 * once to send or once to ask, and writes the answer down. Answers what is next; throws SettleLater.
 */
export function createSettle(deps: SettleDeps): Settle {
  const claimReady = createClaimReady({
    ...deps,
    requireRail: (environment, rail) => void connectorFor(deps, environment, rail),
  });
  const recordSettled = createRecordSettled(deps);

  return async (scope, paymentId, isFirst) => {
    const timing = deps.timing[scope.environment];
    const claimed = isFirst ? await claimReady(scope, paymentId) : null;
    const next: PaymentStep | BankCall =
      claimed === null
        ? await decideNext(deps, scope, paymentId)
        : { kind: 'SEND', attempt: claimed.attempt, owner: claimed.payment };
    if (next.kind === 'DONE' || next.kind === 'WAIT') return next;
    const { reference, sends, rail } = next.attempt;
    const connector = connectorFor(deps, scope.environment, rail);
    const call = { to: next.kind, sends, calledAt: deps.clock.now() };
    const rails = deps.connectors.payouts(scope.environment);
    const answer =
      next.kind === 'SEND'
        ? await sendInTime({ ...deps, timing }, connector, next)
        : await askAboutAttempt(connector, rails, next.attempt, timing);
    const settled = claimed && (await recordSettled({ ...claimed, call, answer }));
    if (settled !== null) return settled;
    const about = { paymentId, reference, call };
    const step = await recordAnswer({ ...deps, timing }, scope, about, answer);
    if (answer.kind === 'NOT_SENT') throw new SettleLater('NOT_SENT');
    return step;
  };
}

/**
 * Decides the payment's next step in the database. Where the decision needs an answer of the screening provider, the
 * VASP, or the rails, asks for it outside of the transaction, and decides again; each is asked once.
 */
async function decideNext(
  deps: SettleDeps,
  scope: Scope,
  paymentId: string,
): Promise<PaymentStep | BankCall> {
  const { environment } = scope;
  const advanceDeps: AdvanceDeps = {
    ...deps,
    timing: deps.timing[environment],
    encodeFor: (rail) => {
      const connector = connectorFor(deps, environment, rail);
      return (order: TransferOrder) => connector.encode(order);
    },
    screenedSince: (now) => deps.screener.screenedSince(environment, now),
  };
  let answerAfterRestore: AnswerAfterRestore | null = null;
  const asked = new Set<NextAction['kind']>();
  for (;;) {
    const next = await advancePayment(advanceDeps, scope, paymentId, answerAfterRestore);
    switch (next.kind) {
      case 'SCREEN':
        // Another list came into force meanwhile, or names changed again.
        if (asked.has('SCREEN') || asked.has('VASP')) throw new SettleLater('UNSCREENED');
        await screen(deps, scope, paymentId, next);
        break;
      case 'VASP':
        if (asked.has('VASP')) return next.unlessAnswered;
        await askVaspOrLog(deps, scope, paymentId);
        break;
      case 'ASK_AFTER_RESTORE':
        if (answerAfterRestore !== null)
          throw new Error(`payment ${paymentId}: its rails were asked`);
        answerAfterRestore = await askRails(deps, environment, next);
        asked.clear();
        break;
      default:
        return next;
    }
    asked.add(next.kind);
  }
}

/** Throws SettleLater where no connector of the environment serves the rail. */
function connectorFor(
  { connectors }: Pick<SettleDeps, 'connectors'>,
  environment: Environment,
  rail: string,
): PayoutConnector {
  const connector = connectors.payout(environment, rail);
  if (connector === null) throw new SettleLater('NO_CONNECTOR');
  return connector;
}

/** Looks the payment's parties up in the sanctions list, and its wallet's address. */
async function screen(
  deps: SettleDeps,
  scope: Scope,
  paymentId: string,
  { parties, walletId }: Extract<NextAction, { readonly kind: 'SCREEN' }>,
): Promise<void> {
  try {
    await deps.screener.screenParties(scope, parties);
    if (walletId !== null) await screenWallet(deps, scope, walletId);
  } catch (error) {
    if (!(error instanceof ScreeningError)) throw error;
    deps.onScreeningFailure(error.code, paymentId);
    throw new SettleLater('UNSCREENED');
  }
}

/** Without an answer of the VASP the payment waits. */
async function askVaspOrLog(deps: SettleDeps, scope: Scope, paymentId: string): Promise<void> {
  const { travelRule = {}, onTravelRuleFailure } = deps;
  try {
    await askVasp({ ...deps, travelRule }, scope, paymentId);
  } catch (error) {
    if (!(error instanceof TravelRuleError)) throw error;
    onTravelRuleFailure?.(error.code, paymentId);
  }
}

/** Where nothing serves the payment's own rail, no rail is asked: the others cannot tell. */
function askRails(
  { connectors, timing }: SettleDeps,
  environment: Environment,
  { rail, reference }: AskAfterRestore,
): Promise<AnswerAfterRestore> {
  const isServed = connectors.payout(environment, rail) !== null;
  const rails = isServed ? connectors.payouts(environment) : [];
  return askAfterRestore(rails, reference, timing[environment].bankTimeoutMs);
}
