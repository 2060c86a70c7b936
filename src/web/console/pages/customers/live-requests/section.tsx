import { listWaitingLiveRequests } from '../../../../../db/customers/live-request-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { RequestSection } from '../requests/section.ts';
import { LiveRequestTable } from './list.tsx';

const SHOWN = 10;

/** The oldest requests for live access that wait. Their own page shows all of them. */
export const liveRequestsSection: RequestSection = async (tx, { operator }) => {
  const rows = await listWaitingLiveRequests(tx, SHOWN + 1);
  return (
    <Card title="Live access" isFlush>
      {rows.length === 0 ? (
        <p class="nothing">No request needs a decision.</p>
      ) : (
        <LiveRequestTable rows={rows.slice(0, SHOWN)} time={timeText(operator.timeZone)} />
      )}
      {rows.length > SHOWN ? (
        <p class="more">
          <a href="/requests/live">Show all requests for live access</a>
        </p>
      ) : null}
    </Card>
  );
};
