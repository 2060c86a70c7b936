import { listBalances } from '../../../../db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { readAttention } from '../../../../db/payments/payment-attention-store.ts';
import { listEndpoints } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { completeFigures, readFigures } from '../../../../modules/payments/payment-figures.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { openPlace } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { HomePage } from './home-page.tsx';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Days of figures. */
const DAYS = 30;
/** A payment that failed or came back is shown for so long. */
const ENDED_FOR_MS = 7 * DAY_MS;
/** An approval that ends so soon is to be renewed. */
const EXPIRING_WITHIN_MS = 30 * DAY_MS;
const ENDPOINTS_READ = 100;

/** GET /{env}/home */
export function registerHome(app: WebApp, { db, clock, apiUrl }: DashboardDeps): void {
  app.get('/:env/home', { config: { right: 'see-payments' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Home', current: '/home' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const now = clock.now();
    const { sums, ...found } = await db.read(scope, (tx) => readAll(tx, scope, now));
    const days = await completeFigures(db, scope, sums, now, DAYS);
    return sendDashboardPage(request, reply, {
      ...{ title: 'Home', environment, current: `/${environment}/home` },
      body: (
        <HomePage
          {...{ ...found, days, environment, user, apiUrl, now, times: timeText(user.timeZone) }}
          isNew={sums.firstAt === null}
        />
      ),
    });
  });
}

/** As of one moment, in four statements. */
async function readAll(tx: ScopedTransaction, scope: Scope, now: Date) {
  const sums = await readFigures(tx, scope, now, DAYS);
  const attention = await readAttention(
    tx,
    scope,
    new Date(now.getTime() - ENDED_FOR_MS),
    new Date(now.getTime() + EXPIRING_WITHIN_MS),
  );
  const endpoints = await listEndpoints(tx, scope, { limit: ENDPOINTS_READ, before: null });
  const balances = await listBalances(tx, scope);
  // An endpoint that a partner switched off needs no attention.
  const failing = endpoints.items.filter(({ status, failingSince, disabledReason }) =>
    status === 'ENABLED' ? failingSince !== null : disabledReason !== 'REQUESTED',
  );
  return { sums, attention, failing, balances };
}
