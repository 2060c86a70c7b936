import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { sentFormOf } from '../kit/sent-form-of.ts';
import type { Place } from './environment.tsx';

interface Act<Result> {
  /** As the audit log calls it: `webhook_endpoint.create`. */
  readonly action: string;
  /** The id of what it is done to, where that is known before it is done. */
  readonly subject: string | ((result: Result) => string);
  readonly work: (tx: ScopedTransaction) => Promise<Result>;
}

/**
 * What a user does in one environment, as the work of one transaction: it uses the form that asks for it,
 * and has its row in the audit log, or nothing of it happens.
 */
export function actOf<Result>(
  clock: Clock,
  request: FastifyRequest,
  { user, scope }: Place,
  { action, subject, work }: Act<Result>,
): (tx: ScopedTransaction) => Promise<Result> {
  return async (tx) => {
    await sentFormOf(request).use(tx);
    const result = await work(tx);
    await recordAudit(tx, {
      ...{ at: clock.now(), actor: { kind: 'USER', id: user.id }, action, scope, details: {} },
      subject: typeof subject === 'string' ? subject : subject(result),
    });
    return result;
  };
}
