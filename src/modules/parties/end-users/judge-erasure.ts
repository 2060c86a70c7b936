import type { EndUserStatus } from '../../../db/parties/end-user-store.ts';
import type { ErasureFacts } from '../../../db/parties/erasure-store.ts';
import type { FieldCode } from '../../../domain/errors/problem-codes.ts';
import type { Problem } from '../../../domain/errors/refusal.ts';

/** An end-user as their erasure is judged. */
export interface ErasureCase extends ErasureFacts {
  readonly status: EndUserStatus;
  /** When they last changed: their closing, or a KYC move after it. */
  readonly updatedAt: Date;
}

/**
 * Everything that forbids an erasure now; none: it may be. The retention counts from the closing or the
 * last payment that became final, whichever is later. `possibleFrom` is told where a date decides.
 */
export function judgeErasure(one: ErasureCase, retentionMs: number, now: Date): Problem[] {
  const problems: Problem[] = [];
  if (one.status !== 'CLOSED') {
    problems.push(
      problem(
        'end_user_not_closed',
        'Only a CLOSED end-user can be erased. Close the end-user first.',
      ),
    );
  }
  if (one.openPayments > 0n) {
    const message = 'The end-user has payments that are not final yet.';
    problems.push(problem('payments_not_final', message, { count: Number(one.openPayments) }));
  }
  const since = Math.max(one.updatedAt.getTime(), one.lastFinalAt?.getTime() ?? 0);
  const until = new Date(since + retentionMs);
  if (one.status === 'CLOSED' && one.openPayments === 0n && now < until) {
    const meta = { possibleFrom: until.toISOString() };
    problems.push(
      problem('retention_not_over', 'The retention period of the data is not over.', meta),
    );
  }
  return problems;
}

const problem = (code: FieldCode, message: string, meta?: Problem['meta']): Problem => ({
  path: '',
  code,
  message,
  ...(meta && { meta }),
});
