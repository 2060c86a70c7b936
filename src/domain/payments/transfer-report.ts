import type { SettlementTiming } from './settlement-timing.ts';

/** The statuses of a transfer that a bank can report. */
export const TRANSFER_STATUSES = ['ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'] as const;

export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** What a bank says of one transfer, whichever way: answer, callback or statement line. */
export interface TransferReport {
  readonly status: TransferStatus;
  readonly bankReference: string | null;
  /** A code, for REJECTED and RETURNED. */
  readonly reason: string | null;
  /** For RETURNED: what came back, in minor units; null where the bank did not say. */
  readonly returnedAmount: bigint | null;
  /** When it happened by the bank's clock; null where the bank did not say. */
  readonly at: Date | null;
}

/** By which way a report came; the bank's answer to a call of ours carries the call. */
export type ReportSource =
  | { readonly kind: 'ANSWER'; readonly call: AnsweredCall; readonly timing: SettlementTiming }
  | { readonly kind: 'CALLBACK' }
  | { readonly kind: 'STATEMENT' }
  /** What a chain shows for good, or so deep that it is believed: of the transfer, whatever was sent. */
  | { readonly kind: 'CHAIN' }
  /** Two operators, who have asked the bank by another way. */
  | { readonly kind: 'OPERATORS'; readonly approvalId: string };

/** Which call was answered. `sends` is the attempt's count of sends as the caller knew it. */
export interface AnsweredCall {
  readonly to: 'SEND' | 'ASK';
  readonly sends: number;
  /** When the call began: what the bank answered is no younger than that. */
  readonly calledAt: Date;
}

/** What came of one call of the bank. `why` is one of the connector's own codes. */
export type TransferAnswer =
  /** The bank tells the transfer's status. */
  | { readonly kind: 'REPORT'; readonly report: TransferReport }
  /** Proven: no byte of the send was written. */
  | { readonly kind: 'NOT_SENT'; readonly why: string }
  /** The bank refused the send itself; sending the same again cannot help. */
  | { readonly kind: 'REFUSED'; readonly why: string }
  /** The bank itself answered the send, with something that settles nothing. */
  | { readonly kind: 'UNCLEAR'; readonly why: string }
  /** No answer of the bank to the send, or none to the question. */
  | { readonly kind: 'SILENCE'; readonly why: string }
  /** Asked, the bank says that it has never seen the reference. */
  | { readonly kind: 'NEVER_SEEN' };

export type SubmitAnswer = Exclude<TransferAnswer, { readonly kind: 'NEVER_SEEN' }>;
export type AskAnswer = Extract<
  TransferAnswer,
  { readonly kind: 'REPORT' | 'NEVER_SEEN' | 'SILENCE' }
>;
/** An answer that does not tell the transfer's status. */
export type BlankAnswer = Exclude<TransferAnswer, { readonly kind: 'REPORT' }>;

/** ISO 20022 external status reason codes and our contract's own that a later try may not meet. */
const RETRYABLE_REASONS: ReadonlySet<string> = new Set([
  'BANK_UNAVAILABLE',
  'TEMPORARILY_UNAVAILABLE',
  'RAIL_UNAVAILABLE',
  'AB05',
  'AB06',
  'AB07',
  'AB08',
]);

/** Whether another attempt may succeed where the bank rejected this one for the reason given. */
export function isRetryableReason(reason: string | null): boolean {
  return reason !== null && RETRYABLE_REASONS.has(reason);
}
