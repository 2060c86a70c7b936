import type { EndpointRef, KycCheckRef, PaymentRef } from './work-refs.ts';

/**
 * Starts and wakes workflows. Every method is safe to call twice: a workflow that runs is left
 * running, and a wake carries no data, so a second ring means nothing more than the first.
 */
export interface WorkflowClient {
  startPayment(workflowId: string, payment: PaymentRef): Promise<void>;
  /** Wakes the payment's workflow; where it has ended, `reportId` starts a follow-up for the report. */
  wakePayment(workflowId: string, payment: PaymentRef, reportId: string): Promise<void>;
  startKycCheck(check: KycCheckRef): Promise<void>;
  /** Wakes the check's workflow; where it has ended, `reportId` starts a follow-up for the report. */
  wakeKycCheck(check: KycCheckRef, reportId: string): Promise<void>;
  /** Wakes the endpoint's workflow, starting it where it does not run (signal-with-start). */
  wakeEndpoint(endpoint: EndpointRef): Promise<void>;
}
