import { COMPANIES } from '../../../customers/live/company.ts';
import { readLiveStanding } from '../../../customers/live/live-standing.ts';
import { Card } from '../../../web/parts/card.tsx';
import { Checklist } from '../../../web/parts/checklist.tsx';
import { PageHead } from '../../../web/parts/page-head.tsx';
import { userOf } from '../../../web/person.ts';
import type { WebApp } from '../../../web/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { checkItem, companyItem, ownerItem, termsItem } from './checklist-items.tsx';
import { RequestCard } from './request-card.tsx';

/** GET /going-live: what it takes to move real money, and where the customer stands. */
export function serveGoingLive(app: WebApp, deps: DashboardDeps): void {
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
            about="In live, payments move real money. Test stays as it is."
          />
          <Card title="What it takes">
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
