import type { FailureCode } from './failure-catalogue.ts';
import type { FailureCategory, PartnerAction } from './failure-categories.ts';

/** Why a payment was not delivered, as the partner reads it. */
export interface OutcomeReason {
  readonly code: FailureCode;
  readonly category: FailureCategory;
  readonly message: string;
  /** Whether a new payment may succeed unchanged. */
  readonly retryable: boolean;
  readonly action?: PartnerAction;
  /** The bank's own code; null where it gave none, or none that may be told. */
  readonly railCode: string | null;
}
