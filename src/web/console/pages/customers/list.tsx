import { Type } from 'typebox';
import { listCustomers } from '../../../../db/customers/customer-status-store.ts';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { SelectField, TextField } from '../../../kit/parts/field.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../parts/list-page.tsx';
import { moment } from '../../parts/moments.ts';

const QUERY = Type.Object({
  find: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(Type.Enum(['', 'ACTIVE', 'SUSPENDED'])),
  before: Type.Optional(Type.String({ maxLength: 100 })),
});

/** GET /customers: the newest first, found by name or id. */
export function registerCustomers(app: WebApp, { db }: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get('/customers', { config: { right: 'see' }, schema }, async (request, reply) => {
    const { find = '', status = '', before = '' } = request.query;
    const filter = { text: find.trim() || null, status: status || null, before: before || null };
    const rows = await db.system((tx) => listCustomers(tx, filter, ROWS_MAX + 1));
    const more = new URLSearchParams({ find, status, before: rows[ROWS_MAX - 1]?.id ?? '' });
    return sendConsolePage(request, reply, {
      title: 'Customers',
      current: '/customers',
      body: (
        <>
          <PageHead title="Customers" about="Newest first." />
          <Filters action="/customers">
            <TextField name="find" label="Name or ID" type="search" value={find} />
            <SelectField
              name="status"
              label="Status"
              value={status}
              options={[
                { value: '', text: 'All' },
                { value: 'ACTIVE', text: 'Active' },
                { value: 'SUSPENDED', text: 'Suspended' },
              ]}
            />
          </Filters>
          <Waiting
            label="Customers"
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/customers/${id}`}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Status', cell: (row) => <CustomerChip status={row.status} /> },
              { title: 'Live access', cell: ({ hasLiveAccess }) => (hasLiveAccess ? 'Yes' : 'No') },
              { title: 'ID', cell: ({ id }) => <code>{id}</code> },
              { title: 'Since (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
            ]}
            empty={{
              title: 'No customer found',
              text: 'No customer has that name, ID, or status.',
            }}
          />
          {rows.length > ROWS_MAX ? (
            <a class="button button-plain" href={`/customers?${more.toString()}`}>
              Older customers
            </a>
          ) : null}
        </>
      ),
    });
  });
}

export const CustomerChip = ({ status }: { readonly status: 'ACTIVE' | 'SUSPENDED' }) => (
  <Chip
    tone={status === 'ACTIVE' ? 'ok' : 'bad'}
    text={status === 'ACTIVE' ? 'Active' : 'Suspended'}
  />
);
