import type { ChainPlace } from '../onchain/network.ts';
import type {
  AccessRequestRef,
  EndpointRef,
  KycCheckRef,
  PaymentBatchRef,
  PaymentRef,
  PaymentToStart,
  ScreeningRef,
} from './work-refs.ts';

/**
 * What a workflow was started for: the id of a request (`req_...`), or `sweep` and `operator`, who start
 * them without one. Temporal keeps it as the memo `requestId`, and the worker's log lines carry it.
 */
export type StartedFor = string;

/**
 * Starts and wakes workflows. Every method is safe to call twice: a workflow that runs is left
 * running, and a wake carries no data, so a second one means nothing more than the first.
 */
export interface WorkflowClient {
  /** The first start of a payment: one whose workflow has ended well is not run again. */
  startPayment(workflowId: string, payment: PaymentToStart, startedFor: StartedFor): Promise<void>;
  /**
   * The start of a payment that PostgreSQL says is unfinished, whatever Temporal says of its workflow:
   * after a loss on either side the two may differ, and PostgreSQL is the truth.
   */
  restartPayment(
    workflowId: string,
    payment: PaymentToStart,
    startedFor: StartedFor,
  ): Promise<void>;
  /** Wakes the payment's workflow; where it has ended, `reportId` starts a follow-up for the report. */
  wakePayment(
    workflowId: string,
    payment: PaymentRef,
    reportId: string,
    startedFor?: StartedFor,
  ): Promise<void>;
  /** The start of a batch that PostgreSQL says is unfinished, whatever Temporal says of its workflow. */
  startPaymentBatch(batch: PaymentBatchRef, startedFor: StartedFor): Promise<void>;
  /** The first start of a check. */
  startKycCheck(check: KycCheckRef, startedFor: StartedFor): Promise<void>;
  /** The start of a check that PostgreSQL says is open, whatever Temporal says of its workflow. */
  restartKycCheck(check: KycCheckRef, startedFor: StartedFor): Promise<void>;
  /** Wakes the check's workflow; where it has ended, `reportId` starts a follow-up for the report. */
  wakeKycCheck(check: KycCheckRef, reportId: string, startedFor?: StartedFor): Promise<void>;
  /** Has a new party's names looked up; where the start is lost, its first payment has it done. */
  startScreening(party: ScreeningRef, startedFor: StartedFor): Promise<void>;
  /** The start of a mail that PostgreSQL says waits. Rejects where Temporal does not take it within 2 s. */
  startMail(mailId: string, startedFor: StartedFor): Promise<void>;
  /** Wakes the workflow of a request for access, starting it where it does not run (signal-with-start). */
  wakeOnboarding(request: AccessRequestRef, startedFor: StartedFor): Promise<void>;
  /** The start of a chain of which PostgreSQL says that transfers are under way. */
  startChain(place: ChainPlace, startedFor: StartedFor): Promise<void>;
  /** Has a chain looked at soon, starting its workflow where it does not run (signal-with-start). */
  wakeChain(place: ChainPlace): Promise<void>;
  /** The start of a chain's reader, of which PostgreSQL says that deposits may come to its addresses. */
  startDeposits(place: ChainPlace, startedFor: StartedFor): Promise<void>;
  /** Has a chain read for deposits soon, starting its reader where it does not run (signal-with-start). */
  wakeDeposits(place: ChainPlace): Promise<void>;
  /** Wakes the endpoint's workflow, starting it where it does not run (signal-with-start). */
  wakeEndpoint(endpoint: EndpointRef): Promise<void>;
}
