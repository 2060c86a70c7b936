import {
  listEndpoints,
  type WebhookEndpointRow,
} from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { listPage, pagesAround } from '../../../kit/list-pages.ts';
import { Chip } from '../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Pager } from '../../../kit/parts/pager.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import { readQuery } from '../../../kit/forms/read-query.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { may, openPlace } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { endpointWord } from '../../words/webhook-words.ts';

const LIST = 'webhook-endpoints';
const FILTERS = { cursor: { what: 'a cursor', lengthMax: 200, isOptional: true } } as const;

/** GET /{env}/webhooks: the endpoints of one environment, and how each is doing. */
export function registerWebhooks(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/webhooks', { config: { right: 'see-webhooks' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Webhooks', current: '/webhooks' });
    if (place === null) return reply;
    const { scope, user, environment } = place;
    const path = `/${environment}/webhooks`;
    const { cursor } = readQuery(FILTERS, request.query).values;
    const page = await db.list(scope, (tx) => listEndpoints(tx, scope, listPage(cursor, LIST)));
    const times = timeText(user.timeZone);
    const mayAdd = may(user, 'write-webhooks');
    return sendDashboardPage(request, reply, {
      ...{ title: 'Webhooks', environment, current: path },
      body: (
        <>
          <PageHead title="Webhooks" about="URLs that receive events. At most 16 endpoints.">
            {mayAdd ? (
              <a class="button" href={`${path}/new`}>
                Add an endpoint
              </a>
            ) : null}
          </PageHead>
          {page.items.length === 0 && cursor === '' ? (
            <EmptyState
              title="No endpoint yet"
              {...(mayAdd ? { action: { href: `${path}/new`, text: 'Add an endpoint' } } : {})}
              command={curlOf(apiUrl)}
            >
              Add a URL to receive a signed event for every change of a payment.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <Table
                label="Webhook endpoints"
                rows={page.items}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => `${path}/${id}`}
                columns={columnsOf((at) => times.moment(at), times.zone)}
              />
              <Pager {...pagesAround({ path, query: {} }, cursor, page, LIST)} />
            </div>
          )}
        </>
      ),
    });
  });
}

const columnsOf = (moment: (at: Date) => string, zone: string) => [
  { title: 'Endpoint', cell: ({ url, description }: WebhookEndpointRow) => description ?? url },
  {
    title: 'State',
    cell: (row: WebhookEndpointRow) => <Chip {...endpointWord(row)} />,
  },
  { title: 'Events', cell: ({ types }: WebhookEndpointRow) => shorten(types) },
  { title: 'Id', isMuted: true, cell: ({ id }: WebhookEndpointRow) => <code>{id}</code> },
  {
    title: `Changed (${zone})`,
    isMuted: true,
    cell: ({ updatedAt }: WebhookEndpointRow) => moment(updatedAt),
  },
];

const SHOWN = 2;

function shorten(types: readonly string[]): string {
  const more = types.length - SHOWN;
  return types.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

const curlOf = (apiUrl: string): string =>
  `curl -X POST '${apiUrl}/api/v1/webhook-endpoints' \\
  -H "Authorization: Bearer $CAUSEWAY_KEY" -H 'Content-Type: application/json' \\
  -d '{"url": "https://hooks.example.com/causeway", "types": ["payment.*"]}'`;
