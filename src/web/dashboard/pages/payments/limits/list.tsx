import { findApiKey } from '../../../../../db/customers/api-key-list-store.ts';
import {
  listBeneficiaries,
  listLimits,
  readLimitDay,
} from '../../../../../db/payments/payment-limit-write-store.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { limitDay } from '../../../../../domain/payments/limits/payment-limit.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { may, openPlace } from '../../../environment.tsx';
import { readActorNames } from '../../../parts/actor-names.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { LimitsPage } from './limits-page.tsx';

/** The page of a payment leads here with its beneficiary. */
const QUERY = {
  destination: { what: 'a bank account or wallet', lengthMax: 40, isOptional: true },
} as const;

/** GET /{env}/limits */
export function registerLimits(app: WebApp, { db, vault, clock }: DashboardDeps): void {
  app.get('/:env/limits', { config: { right: 'see-payments' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Payment limits', current: '/limits' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { destination } = readQuery(QUERY, request.query).values;
    const path = `/${environment}/limits`;
    const shown = await db.read(scope, async (tx) => {
      const limits = await listLimits(tx, scope);
      const beneficiaries = await listBeneficiaries(tx, scope);
      const actors = [
        ...limits.map(({ setBy }) => setBy),
        ...beneficiaries.map(({ allowedBy }) => allowedBy),
      ];
      return {
        ...{ limits, beneficiaries },
        used: await readLimitDay(tx, scope, limitDay(clock.now())),
        keyNames: await readKeyNames(
          tx,
          scope,
          limits.flatMap(({ apiKeyId }) => apiKeyId ?? []),
        ),
        names: await readActorNames(tx, vault, scope.customerId, actors),
      };
    });
    const mayWrite = may(user, 'write-payment-limits');
    return sendDashboardPage(request, reply, {
      ...{ title: 'Payment limits', environment, current: path },
      body: (
        <LimitsPage
          {...{ ...shown, path, destination, mayWrite, times: timeText(user.timeZone) }}
          formOf={(action) => ({ action, token: reply.newForm(action) })}
        />
      ),
    });
  });
}

async function readKeyNames(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) {
    const key = await findApiKey(tx, scope, id);
    if (key !== null) names.set(id, key.name);
  }
  return names;
}
