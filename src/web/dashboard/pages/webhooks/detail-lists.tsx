import type { DeliveryListRow } from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import type { WebhookReplayRow } from '../../../../db/webhooks/webhook-replay-store.ts';
import { pagesAround } from '../../../kit/list-pages.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { SelectField } from '../../../kit/parts/field.tsx';
import { Figures } from '../../../kit/parts/figures.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { Pager } from '../../../kit/parts/pager.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import { answerWord, deliveryWord, durationWord } from '../../words/webhook-words.ts';
import { DELIVERIES, DELIVERY_STATUSES, type EndpointDetail } from './read-detail.ts';

interface Told {
  readonly times: TimeText;
}

/** The store counts no further. */
const BACKLOG_COUNTED = 10_000n;

export const HealthFigures = ({ endpoint, health, times }: EndpointDetail & Told) => {
  const { backlog, lastSuccessAt, medianDelayMs } = health;
  const counted = backlog >= BACKLOG_COUNTED ? '10,000 or more' : String(backlog);
  const moment = (at: Date | null) => (at === null ? 'never' : times.moment(at));
  return (
    <Figures
      figures={[
        { name: 'Waiting deliveries', value: counted },
        { name: `Last success (${times.zone})`, value: moment(lastSuccessAt) },
        {
          name: 'Delay of first attempts',
          value: medianDelayMs === null ? 'none yet' : durationWord(medianDelayMs),
        },
        {
          name: `Failing since (${times.zone})`,
          value: endpoint.failingSince === null ? 'not failing' : moment(endpoint.failingSince),
        },
      ]}
    />
  );
};

export const DeliveriesCard = (
  props: EndpointDetail &
    Told & {
      readonly path: string;
      readonly filters: { readonly status: string; readonly cursor: string };
    },
) => {
  const { path, filters, deliveries, times } = props;
  const { status, cursor } = filters;
  const columns = [
    { title: 'Event', cell: ({ type }: DeliveryListRow) => type },
    { title: 'State', cell: (row: DeliveryListRow) => <Chip {...deliveryWord(row)} /> },
    {
      title: 'Last answer',
      isMuted: true,
      cell: ({ lastStatusCode, lastError, lastAttemptAt }: DeliveryListRow) =>
        lastAttemptAt === null ? 'none yet' : answerWord(lastStatusCode, lastError),
    },
    {
      title: `Happened (${times.zone})`,
      isMuted: true,
      cell: ({ createdAt }: DeliveryListRow) => times.moment(createdAt),
    },
  ];
  return (
    <Card title="Deliveries" isFlush>
      <Filters action={path}>
        <SelectField
          name="status"
          label="Status"
          value={status}
          options={[
            { value: '', text: 'Any' },
            ...DELIVERY_STATUSES.map((value) => {
              return { value, text: deliveryWord({ status: value, attempts: 0 }).text };
            }),
          ]}
        />
      </Filters>
      <LiveRegion id="deliveries" everyMs={5_000} says="The deliveries have changed.">
        {deliveries.items.length === 0 ? (
          <p class="nothing">No delivery matches this status.</p>
        ) : (
          <Table
            label="Deliveries"
            rows={deliveries.items}
            keyOf={({ eventId }) => eventId}
            hrefOf={({ eventId }) => `${path}/deliveries/${eventId}`}
            columns={columns}
          />
        )}
        <Pager {...pagesAround({ path, query: { status } }, cursor, deliveries, DELIVERIES)} />
      </LiveRegion>
    </Card>
  );
};

export const ReplaysCard = ({ replays, times }: EndpointDetail & Told) =>
  replays.length === 0 ? null : (
    <Card title="Replays" isFlush>
      <Table
        label="Replays"
        rows={replays}
        keyOf={({ id }) => id}
        columns={[
          {
            title: `Requested (${times.zone})`,
            cell: ({ createdAt }: WebhookReplayRow) => times.moment(createdAt),
          },
          {
            title: 'Why',
            cell: ({ reason }) => (reason === 'MISSED' ? 'It was enabled again' : 'By request'),
          },
          {
            title: 'State',
            cell: ({ status }) =>
              status === 'COMPLETED' ? (
                <Chip tone="ok" text="All queued" />
              ) : (
                <Chip tone="moving" text="Being queued" />
              ),
          },
          { title: 'Queued', isNumber: true, cell: ({ queued }) => String(queued) },
        ]}
      />
    </Card>
  );
