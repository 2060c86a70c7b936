import type { FastifyRequest } from 'fastify';
import { LiveRefused } from '../../../../../modules/customers/live/live-refused.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { userOf } from '../../../../kit/person.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';

/** A customer's user, as use cases of going live take one. */
export function actorOf(request: FastifyRequest) {
  const { id, customer } = userOf(request);
  return { userId: id, customerId: customer.id, hasLiveAccess: customer.hasLiveAccess };
}

/**
 * Does what a form asks for in one transaction, which uses the form. Throws PageRefusal (409) where the
 * step cannot be taken as things are now.
 */
export function actOnForm<Result>(
  { db }: Pick<DashboardDeps, 'db'>,
  request: FastifyRequest,
  scope: Scope,
  work: (tx: ScopedTransaction) => Promise<Result>,
): Promise<Result> {
  return db
    .write(scope, async (tx) => {
      await sentFormOf(request).use(tx);
      return work(tx);
    })
    .catch((error: unknown) => {
      if (!(error instanceof LiveRefused)) throw error;
      throw new PageRefusal(409, 'Nothing was changed', error.message);
    });
}
