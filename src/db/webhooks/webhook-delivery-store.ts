import type { AttemptVerdict } from '../../domain/webhooks/attempt.ts';
import type { ScopedTransaction } from '../client/database.ts';

export interface AttemptRecord extends AttemptVerdict {
  readonly eventId: string;
  /** Of this attempt. Beyond `attempts` where it went out early and failed: it counts for nothing. */
  readonly number: number;
  /** Whether the attempt is listed. */
  readonly isListed: boolean;
  readonly at: Date;
  readonly durationMs: number;
  /** Sealed; null where there was none. */
  readonly answer: Buffer | null;
}

/** The values of `attemptValues`, in the order in which the functions of a drain take them. */
export const ATTEMPT_PARAMETERS = `:eventIds::text[], :statuses::text[], :numbers::integer[],
  :attempts::integer[], :nextAttemptAts::timestamptz[], :ats::timestamptz[], :statusCodes::integer[],
  :errors::text[], :durations::integer[], :answers::bytea[], :areListed::boolean[]`;

export function attemptValues(records: readonly AttemptRecord[]) {
  return {
    eventIds: records.map((record) => record.eventId),
    statuses: records.map((record) => record.status),
    numbers: records.map((record) => record.number),
    attempts: records.map((record) => record.attempts),
    nextAttemptAts: records.map((record) => record.nextAttemptAt),
    ats: records.map((record) => record.at),
    statusCodes: records.map((record) => record.statusCode),
    errors: records.map((record) => record.error),
    durations: records.map((record) => record.durationMs),
    answers: records.map((record) => record.answer),
    areListed: records.map((record) => record.isListed),
  };
}

/**
 * Writes what came of a batch within a transaction that does more; else see `recordInDrain`. A record that
 * comes late, from a worker that was given up or of a delivery that was queued again meanwhile, changes
 * nothing but a success: counters never go back and a delivered one stays so.
 */
export async function recordAttempts(
  tx: ScopedTransaction,
  endpointId: string,
  records: readonly AttemptRecord[],
): Promise<void> {
  await tx.query(`SELECT write_webhook_attempts(:endpointId, ${ATTEMPT_PARAMETERS})`, {
    endpointId,
    ...attemptValues(records),
  });
}
