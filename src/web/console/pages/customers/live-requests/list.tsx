import {
  listWaitingLiveRequests,
  type LiveRequestRow,
} from '../../../../../db/customers/live-request-store.ts';
import { readWaiting } from '../../../../../db/operations/waiting-store.ts';
import { waitingSentence } from '../../../words/waiting-words.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText, type TimeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';

/** A customer has at most one that waits; the oldest come first. */
const ROWS_MAX = 100;

/** GET /requests/live: requests for live access that need a decision. */
export function registerLiveRequests(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get('/requests/live', { config: { right: 'see' } }, async (request, reply) => {
    const now = clock.now();
    const { rows, counted } = await db.system(async (tx) => ({
      rows: await listWaitingLiveRequests(tx, ROWS_MAX),
      counted: await readWaiting(tx, now, ['LIVE_REQUEST']),
    }));
    const about = counted.map((row) => waitingSentence(row, now)).join(' ');
    const time = timeText(operatorOf(request).timeZone);
    return sendConsolePage(request, reply, {
      ...{ title: 'Requests for live access', current: '/requests' },
      body: (
        <>
          <PageHead title="Requests for live access" about={about} />
          {rows.length === 0 ? (
            <EmptyState title="No request needs a decision">
              Customers request live access on the page “Going live” of the dashboard.
            </EmptyState>
          ) : (
            <Card title="Waiting" isFlush>
              <LiveRequestTable rows={rows} time={time} />
            </Card>
          )}
        </>
      ),
    });
  });
}

export const LiveRequestTable = ({
  rows,
  time,
}: {
  readonly rows: readonly LiveRequestRow[];
  readonly time: TimeText;
}) => (
  <Table
    label="Requests for live access"
    rows={rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `/requests/live/${id}`}
    columns={[
      { title: 'Customer', cell: ({ customerName }) => customerName },
      { title: 'Requested', cell: ({ requestedAt }) => time.moment(requestedAt) },
      { title: 'Request', cell: ({ id }) => <code>{id}</code>, isMuted: true },
    ]}
  />
);
