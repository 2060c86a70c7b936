/**
 * All that a workflow may know of its activities: their inputs and answers. Ids only: what
 * is in here ends up in Temporal's history, so no name, account number or secret ever does.
 */
import type { ChainPlace } from '../src/domain/onchain/network.ts';
import type { Environment } from '../src/domain/scope.ts';
import type { MailStep } from '../src/domain/customers/mail/mail-step.ts';
import type { PaymentStep } from '../src/domain/payments/next-step.ts';
import type {
  AccessRequestRef,
  EndpointRef,
  KycCheckRef,
  MailRef,
  PaymentBatchRef,
  PaymentRef,
  ScreeningRef,
} from '../src/domain/workflows/work-refs.ts';

export type {
  AccessRequestRef,
  EndpointRef,
  KycCheckRef,
  MailRef,
  MailStep,
  PaymentBatchRef,
  PaymentRef,
  PaymentStep,
  ScreeningRef,
};

/**
 * An operator's decision about a payment that waits ON_HOLD. Who decided, and why, stands in
 * PostgreSQL under `decisionId`; without one the audit log names Temporal UI as the operator.
 */
export interface PaymentResolution {
  readonly action: 'RETRY';
  readonly decisionId?: string;
}

/** What a payment's workflow is started with. */
export interface PaymentStart extends PaymentRef {
  /** Whether the first step with the bank may be taken inside the workflow task. */
  readonly isBankQuick?: boolean;
}

/** A payment whose next step may be its first one with the bank: then a READY attempt is looked for. */
export interface FirstStep extends PaymentRef {
  readonly isFirst?: boolean;
}

export interface PaymentActivities {
  /** Does the payment's next step, whatever PostgreSQL says that is, the bank call included. */
  settle(payment: FirstStep): Promise<PaymentStep>;
  /** Applies what the bank reported meanwhile. Never talks to the bank. */
  applyTransferReports(payment: PaymentRef): Promise<PaymentStep>;
  /** Puts the payment ON_HOLD because of a fault of our own. */
  holdForFault(payment: PaymentRef & { readonly failureCode: string }): Promise<PaymentStep>;
  /**
   * Audits an operator's decision and opens the way for it. False: the payment does not wait for an
   * operator, or the decision is not about it or was used before, and nothing was done.
   */
  resolvePayment(
    payment: PaymentRef & { readonly resolution: PaymentResolution },
  ): Promise<boolean>;
}

/** What a batch's workflow does next: end, go on behind an item, or begin again after a while. */
export type BatchStep =
  | { readonly kind: 'DONE' }
  | { readonly kind: 'MORE'; readonly after: number }
  | { readonly kind: 'WAITING' };

/** A batch whose items up to the index `after` were tried; -1 begins at the first one. */
export interface BatchTurn extends PaymentBatchRef {
  readonly after: number;
}

export interface PaymentBatchActivities {
  /** Judges items of a batch for some ten seconds. */
  judgeBatch(turn: BatchTurn): Promise<BatchStep>;
}

/** What a KYC check's workflow does next. */
export type KycStep =
  | { readonly kind: 'DONE'; readonly status: string }
  /** `hasDocuments`: some wait to be handed on to the provider first. */
  | { readonly kind: 'WAIT'; readonly waitMs: number; readonly hasDocuments?: true };

export interface KycActivities {
  /** Opens the check at the provider; the provider takes the same reference twice as once. */
  openKycCheck(check: KycCheckRef): Promise<KycStep>;
  /** Asks the provider for the check's status and applies the answer. */
  pollKycCheck(check: KycCheckRef): Promise<KycStep>;
  /** Hands the check's documents on; after a failure the answer waits before it asks for another try. */
  handOnKycDocuments(check: KycCheckRef): Promise<KycStep>;
  /** Applies stored reports of the provider. Never talks to the provider. */
  applyKycReports(check: KycCheckRef): Promise<KycStep>;
}

export interface KycExpiryActivities {
  /** Ends every KYC approval whose end has come: EXPIRED / APPROVAL_EXPIRED. */
  expireApprovals(): Promise<void>;
}

export interface KeyExpiryActivities {
  /** Tells the owners of every key that ends in 30, 7 or 1 days, once each. */
  mailExpiringKeys(): Promise<void>;
}

export interface FinalityActivities {
  /**
   * Makes every payment of an environment final that a statement has confirmed and that can no longer
   * come back, and raises the alarms of those that did all the same; heartbeats.
   */
  finalisePayments(environment: Environment): Promise<void>;
}

/** What an endpoint's workflow does next: end, or wait for the wake no longer than `waitMs`. */
export type DrainOutcome =
  | { readonly kind: 'GONE' }
  | { readonly kind: 'IDLE'; readonly isSlow: boolean }
  | { readonly kind: 'DUE'; readonly waitMs: number; readonly isSlow: boolean };

export interface WebhookActivities {
  /** Delivers what is due for one endpoint until nothing is, at most 60 s; heartbeats. */
  drainEndpoint(endpoint: EndpointRef): Promise<DrainOutcome>;
}

export interface MailActivities {
  /** Tries a mail once, if it is due and no one else is at it. */
  sendMail(mail: MailRef): Promise<MailStep>;
}

/** Which chain: a network of one environment. */
export type ChainRef = ChainPlace;

/** What a chain's workflow does next: end, or look again after a while. */
export type ChainStep =
  { readonly kind: 'IDLE' } | { readonly kind: 'WAIT'; readonly waitMs: number };

export interface ChainActivities {
  /** One look: outcomes of what was sent, then what waits to be sent. */
  lookAtChain(chain: ChainRef): Promise<ChainStep>;
  /** Gives a transfer up. False: it is settled, over, unknown, or given up already. */
  voidTransfer(transfer: ChainRef & { readonly reference: string }): Promise<boolean>;
}

export interface DepositActivities {
  /** One look: what came to our addresses, what counts by now, and what is gone again. */
  readDeposits(chain: ChainRef): Promise<ChainStep>;
}

/** What a request's workflow does next: end, or come back after a while. */
export type OnboardingStep =
  { readonly kind: 'DONE' } | { readonly kind: 'WAIT'; readonly waitMs: number };

export interface OnboardingActivities {
  /** Does what is due for a request for access: mails, test funds, expiry, erasure. */
  advanceRequest(request: AccessRequestRef): Promise<OnboardingStep>;
}

export interface SweepActivities {
  /**
   * Starts the workflows of payments, KYC checks and mails that no workflow has claimed for 10 s, and of
   * chains with transfers under way, and wakes those of requests for access for which something is due.
   */
  startForgotten(): Promise<void>;
  /**
   * Sends the wakes again of reports and deliveries that have waited 10 s to be read, and raises the
   * alarms of reports that concern no payment, and mails operators what waits for them.
   */
  repeatWakes(): Promise<void>;
  /**
   * Starts the workflow of every unfinished payment and KYC check that has none open, and forgets
   * idempotency keys whose time is over, quotes that no one used, mails that are long over, and documents
   * of end-users that were not submitted, or not taken by a provider, in time.
   */
  restartUnfinished(): Promise<void>;
}

export interface FxActivities {
  /**
   * Fetches every configured source, judges its rates and stores those that pass; one that fails does
   * not keep the others from it. Forgets rates that are older than the history is long.
   */
  refreshRates(): Promise<void>;
}

export interface ScreeningActivities {
  /** Looks one party's names up in the sanctions list. */
  screenParty(party: ScreeningRef): Promise<void>;
  /** Looks up every party that was not, in the list that is in force; heartbeats. */
  rescreen(environment: Environment): Promise<void>;
}

/** Which bank statement; `statementId` is ours. */
export interface StatementRef {
  readonly environment: Environment;
  readonly connector: string;
  readonly statementId: string;
}

export interface ReconciliationActivities {
  /** Lists what the bank has beyond the last known sequence; answers statements not yet reconciled. */
  listStatements(environment: Environment): Promise<StatementRef[]>;
  /**
   * Stores a statement's lines, each once; heartbeats the line number. A file that cannot be read is an
   * error that is tried again, further and further apart, until the bank has mended it.
   */
  readStatement(statement: StatementRef): Promise<void>;
  /** Matches the stored lines that are not judged yet, slice by slice; heartbeats. */
  reconcileStatement(statement: StatementRef): Promise<void>;
}
