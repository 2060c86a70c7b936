import type { ApiRequestRow } from '../../../../db/customers/api-request-store.ts';
import type { Environment } from '../../../../domain/scope.ts';
import { linkTo } from '../../../kit/list-pages.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import { toneOfStatus } from '../../words/request-words.ts';

/** The newest requests that made a payment or were about it. */
export const RequestsCard = (props: {
  readonly environment: Environment;
  readonly payment: { readonly id: string };
  readonly requests: readonly ApiRequestRow[];
  readonly times: TimeText;
  readonly live: { readonly everyMs: number; readonly says: string };
}) => {
  const { environment, payment, times } = props;
  const log = `/${environment}/requests`;
  return (
    <Card
      title="Requests"
      aside={<a href={linkTo(log, { payment: payment.id })}>Request log</a>}
      isFlush
    >
      <LiveRegion id="requests" {...props.live}>
        {props.requests.length === 0 ? (
          <p class="nothing">The request log has no request for this payment.</p>
        ) : (
          <Table
            label="Requests"
            rows={props.requests}
            keyOf={({ requestId }) => requestId}
            hrefOf={({ requestId }) => linkTo(log, { request: requestId })}
            columns={[
              {
                title: 'Request',
                cell: ({ method, at }) => (
                  <>
                    <code>{method}</code> <span class="muted">{times.moment(at)}</span>
                  </>
                ),
              },
              {
                title: 'Answer',
                isNumber: true,
                cell: ({ status }) => <Chip tone={toneOfStatus(status)} text={String(status)} />,
              },
            ]}
          />
        )}
      </LiveRegion>
    </Card>
  );
};
