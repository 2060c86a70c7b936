import { COMPANIES } from '../../../../../modules/customers/live/company.ts';
import { readLiveStanding } from '../../../../../modules/customers/live/live-standing.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Checklist } from '../../../../kit/parts/checklist.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { userOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { checkItem, companyItem, ownerItem, termsItem } from './checklist-items.tsx';
import { RequestCard } from './request-card.tsx';

/** GET /going-live: what it takes to move real money, and where the customer stands. */
export function registerGoingLive(app: WebApp, deps: DashboardDeps): void {
  const { db, clock } = deps;
  app.get('/going-live', { config: { right: 'see-going-live' } }, async (request, reply) => {
    const user = userOf(request);
    const standing = await db.read(COMPANIES, (tx) => readLiveStanding(tx, user.customer.id));
    const shown = {
      standing,
      user,
      now: clock.now(),
      newForm: (path: string) => reply.newForm(path),
    };
    return sendDashboardPage(request, reply, {
      ...{ title: 'Going live', environment: null, current: '/going-live' },
      body: (
        <>
          <PageHead
            title="Going live"
            about="In the live environment, payments move real money. The test environment stays as it is."
          />
          <Card title="Checklist">
            <Checklist
              items={[
                ownerItem(shown),
                companyItem(shown, deps),
                checkItem(shown, deps),
                termsItem(shown),
              ]}
            />
          </Card>
          <RequestCard {...shown} />
        </>
      ),
    });
  });
}
