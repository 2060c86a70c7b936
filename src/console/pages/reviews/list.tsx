import { listUnmatchedCredits } from '../../../db/incoming-credit-store.ts';
import { listOpenCases } from '../../../db/screening-case-store.ts';
import { partyOf } from '../../../screening/case-party.ts';
import { PageHead } from '../../../web/parts/page-head.tsx';
import { operatorOf } from '../../../web/person.ts';
import type { WebApp } from '../../../web/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { ActLinks } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../parts/list-page.tsx';
import { moment } from '../../parts/moments.ts';
import { CreditsTable } from '../reconciliation/tables.tsx';

/** GET /reviews: screening hits and unmatched credits that wait for somebody to look at them. */
export function serveReviews(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/reviews', { config: { right: 'see' } }, async (request, reply) => {
    const { cases, credits } = await db.system(async (tx) => ({
      cases: await listOpenCases(tx, null, ROWS_MAX + 1),
      credits: await listUnmatchedCredits(tx, null, ROWS_MAX + 1),
    }));
    const override = { href: '/reviews/kyc-override', text: 'Propose a KYC override' };
    return sendConsolePage(request, reply, {
      title: 'Reviews',
      current: '/reviews',
      body: (
        <>
          <PageHead title="Reviews" about="What somebody looks at before money moves.">
            <ActLinks
              operator={operatorOf(request)}
              links={[{ ...override, right: 'decide-reviews' }]}
            />
          </PageHead>
          <h2>Screening hits</h2>
          <Waiting
            label="Screening hits"
            rows={cases}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/reviews/${id}`}
            columns={[
              { title: 'Case', cell: ({ id }) => <code>{id}</code> },
              { title: 'Environment', cell: ({ environment }) => environment },
              { title: 'Customer', cell: ({ customerId }) => <code>{customerId}</code> },
              { title: 'Party', cell: (row) => <code>{partyOf(row).id}</code> },
              {
                title: 'Entries',
                isNumber: true,
                cell: ({ entryHashes }) => String(entryHashes.length),
              },
              { title: 'Since (UTC)', isMuted: true, cell: ({ openedAt }) => moment(openedAt) },
            ]}
            empty={{ title: 'No hit waits', text: 'No name that we pay is on the list.' }}
          />
          <h2>Unmatched credits</h2>
          <CreditsTable rows={credits} />
        </>
      ),
    });
  });
}
