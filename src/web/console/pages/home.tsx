import { readWaiting } from '../../../db/operations/waiting-store.ts';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import { Table } from '../../kit/parts/table.tsx';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { sendConsolePage } from '../parts/console-page.tsx';
import { moment } from '../parts/moments.ts';
import { inOrder, WAITING_WORDS, waitingSentence } from '../words/waiting-words.ts';

/** GET /: the inbox: all that waits for an operator, with the way to each list. */
export function registerHome(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get('/', { config: { right: 'see' } }, async (request, reply) => {
    const now = clock.now();
    const rows = await db.system((tx) => readWaiting(tx, now));
    return sendConsolePage(request, reply, {
      title: 'Inbox',
      current: '/',
      body: (
        <>
          <PageHead
            title="Inbox"
            about="What needs an operator, in the test and live environments."
          />
          {rows.length === 0 ? (
            <EmptyState title="Nothing needs your attention.">
              Payments, reviews, and requests that need an operator appear here.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <Table
                label="Inbox"
                rows={rows.sort(inOrder)}
                keyOf={({ kind }) => kind}
                hrefOf={({ kind }) => WAITING_WORDS[kind].href}
                columns={[
                  { title: 'What waits', cell: (row) => waitingSentence(row, now) },
                  {
                    title: 'Oldest since (UTC)',
                    isMuted: true,
                    cell: ({ oldest }) => moment(oldest),
                  },
                ]}
              />
            </div>
          )}
        </>
      ),
    });
  });
}
