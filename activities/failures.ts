import { ApplicationFailure } from '@temporalio/common';
import { isDatabaseOutage } from '../src/db/client/outage.ts';

/**
 * The kinds of failure that Temporal sees. Its history holds our code and nothing else: no foreign
 * message, no stack, no cause, because any of them may carry a name or an account number.
 */
export const FAILURES = {
  /** The bank could not be reached and provably nothing was sent: try again, same attempt. */
  BANK_UNREACHABLE: { message: 'The bank could not be reached. Nothing was sent.' },
  /** The KYC provider did not answer as agreed: asking again is harmless. */
  PROVIDER_UNREACHABLE: { message: 'The provider did not give a valid answer.' },
  /** A source of exchange rates did not answer as agreed. */
  RATES_UNREACHABLE: { message: 'The rate source did not give a valid answer.' },
  /** A statement or its list could not be fetched. */
  STATEMENT_UNREACHABLE: { message: 'The statement could not be fetched.' },
  /** The bank's file is broken. It is fetched again: banks mend a statement under its id. */
  STATEMENT_UNREADABLE: { message: 'The statement cannot be read. It is fetched again later.' },
  /** Another run of the same activity, one that was given up for dead, or its successor, has it. */
  STATEMENT_BUSY: { message: 'Another run of the activity works on the statement.' },
  /** Another run of the same activity works on the payment batch. */
  BATCH_BUSY: { message: 'Another run of the activity works on the batch.' },
  /** The nodes of a chain did not answer, or not the same: looking again is harmless. */
  CHAIN_UNREADABLE: { message: 'The nodes of the chain do not answer or do not agree.' },
  /** PostgreSQL could not be reached or gave up: the next try finds whatever was committed. */
  DATABASE_UNREACHABLE: { message: 'The database could not be reached.' },
  /** Temporal itself did not take a start or a signal. */
  TEMPORAL_UNREACHABLE: { message: 'Temporal did not accept the request.' },
  /** The row that an input names does not exist: no try will find it. */
  NOT_FOUND: { message: 'The input names something that does not exist.' },
  /** A bug or a broken row. A human must look: the log has the rest under the activity's id. */
  ENGINE_FAULT: { message: 'Internal error. See the log of the worker.' },
} as const;

export type FailureCode = keyof typeof FAILURES;

/** An error of ours with one of the codes; `retryAfterMs` overrides the policy's next distance. */
export class ActivityError extends Error {
  readonly code: FailureCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: FailureCode, options: { readonly retryAfterMs?: number } = {}) {
    super(FAILURES[code].message);
    this.name = 'ActivityError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const isFailureCode = (type: string | null | undefined): type is FailureCode =>
  typeof type === 'string' && Object.hasOwn(FAILURES, type);

/**
 * Turns whatever an activity threw into the failure that Temporal may keep: built anew, so that
 * nothing but the code and a delay of ours comes through. Which codes are final is the workflow's to
 * say: see PERMANENT in workflows/options.ts.
 */
export function toTemporalFailure(error: unknown): ApplicationFailure {
  const code = codeOf(error);
  const nextRetryDelay = delayOf(error);
  const failure = ApplicationFailure.create({
    type: code,
    message: FAILURES[code].message,
    ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
  });
  // The SDK would write it into the history: paths and packages of this machine.
  failure.stack = '';
  return failure;
}

function delayOf(error: unknown): number | undefined {
  if (error instanceof ActivityError) return error.retryAfterMs;
  if (!(error instanceof ApplicationFailure)) return undefined;
  const { nextRetryDelay } = error as { readonly nextRetryDelay?: unknown };
  return typeof nextRetryDelay === 'number' ? nextRetryDelay : undefined;
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof ActivityError) return error.code;
  if (error instanceof ApplicationFailure && isFailureCode(error.type)) return error.type;
  return isDatabaseOutage(error) ? 'DATABASE_UNREACHABLE' : 'ENGINE_FAULT';
}
