import type { ResourceDeliveryRow } from '../../../../db/webhooks/resource-delivery-store.ts';
import type { Environment } from '../../../../domain/scope.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip, type Tone } from '../../../kit/parts/chip.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { Table } from '../../../kit/parts/table.tsx';

const WORDS: Readonly<
  Record<ResourceDeliveryRow['status'], { readonly tone: Tone; readonly text: string }>
> = {
  PENDING: { tone: 'moving', text: 'Waiting' },
  DELIVERED: { tone: 'ok', text: 'Delivered' },
  EXHAUSTED: { tone: 'bad', text: 'Given up' },
};

const chipOf = ({ status, attempts, lastStatusCode }: ResourceDeliveryRow) =>
  status === 'PENDING' && attempts > 0
    ? {
        tone: 'wait' as const,
        text: lastStatusCode === null ? 'Failing' : `Failing, ${lastStatusCode}`,
      }
    : WORDS[status];

/** What became of the events of a resource. */
export const DeliveriesCard = (props: {
  readonly environment: Environment;
  readonly deliveries: readonly ResourceDeliveryRow[];
  readonly live: { readonly everyMs: number; readonly says: string };
}) => (
  <Card
    title="Webhook deliveries"
    aside={<a href={`/${props.environment}/webhooks`}>Endpoints</a>}
    isFlush
  >
    <LiveRegion id="deliveries" {...props.live}>
      {props.deliveries.length === 0 ? (
        <p class="nothing">No endpoint subscribes to this payment’s events.</p>
      ) : (
        <Table
          label="Webhook deliveries"
          rows={props.deliveries}
          keyOf={({ endpointId, eventId }) => `${endpointId}/${eventId}`}
          hrefOf={({ endpointId }) => `/${props.environment}/webhooks/${endpointId}`}
          columns={[
            { title: 'Event', cell: ({ type }) => type },
            { title: 'Answer', isNumber: true, cell: (row) => <Chip {...chipOf(row)} /> },
          ]}
        />
      )}
    </LiveRegion>
  </Card>
);
