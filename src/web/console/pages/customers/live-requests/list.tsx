import {
  listWaitingLiveRequests,
  type LiveRequestRow,
} from '../../../../../db/customers/live-request-store.ts';
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

/** GET /requests/live: who waits for live access. */
export function registerLiveRequests(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/requests/live', { config: { right: 'see' } }, async (request, reply) => {
    const rows = await db.system((tx) => listWaitingLiveRequests(tx, ROWS_MAX));
    const time = timeText(operatorOf(request).timeZone);
    return sendConsolePage(request, reply, {
      ...{ title: 'Live access', current: '/requests' },
      body: (
        <>
          <PageHead title="Live access" about="Requests that wait, the oldest first." />
          {rows.length === 0 ? (
            <EmptyState title="No request waits">
              Customers ask on their page “Going live”, once their company is checked.
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
      { title: 'Asked', cell: ({ requestedAt }) => time.moment(requestedAt) },
      { title: 'Request', cell: ({ id }) => <code>{id}</code>, isMuted: true },
    ]}
  />
);
