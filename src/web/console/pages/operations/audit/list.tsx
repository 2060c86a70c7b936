import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import {
  listAudit,
  type AuditFilter,
  type FullAuditRow,
} from '../../../../../db/operations/audit-list-store.ts';
import type { Vault } from '../../../../../vault/vault.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { ErrorSummary } from '../../../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';

const LIST = 'console-audit-log';
const TITLE = 'Audit log';

const FILTERS = {
  by: {
    ...{ what: 'whose acts', isOptional: true, lengthMax: 10 },
    check: (text: string) =>
      text === 'user' || text === 'operator' ? null : 'Choose one of user, operator.',
  },
  action: { what: 'the beginning of an action', isOptional: true, lengthMax: 60 },
  subject: { what: 'an id', isOptional: true, lengthMax: 100 },
  customer: { what: 'a customer’s id', isOptional: true, lengthMax: 100 },
  cursor: { what: 'a cursor', isOptional: true, lengthMax: 200 },
} as const;

const BY = [
  { value: '', text: 'Users, operators and the engine' },
  { value: 'user', text: 'Users of customers' },
  { value: 'operator', text: 'Operators' },
];

/** GET /audit: who did what, of every customer; reasons as they were given. */
export function serveAudit(app: WebApp, { db, vault }: ConsoleDeps): void {
  app.get('/audit', { config: { right: 'see-audit-log' } }, async (request, reply) => {
    const { values, problems } = readQuery(FILTERS, request.query);
    const { cursor, ...query } = values;
    const { by, action, subject, customer } = values;
    const filter: AuditFilter & { readonly customerId?: string } = {
      ...(by !== '' && { by: by === 'user' ? 'user' : 'operator' }),
      ...(action !== '' && { action: action.toLowerCase().replaceAll(' ', '_') }),
      ...(subject !== '' && { subject }),
      ...(customer !== '' && { customerId: customer }),
    };
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.system((tx) => listAudit(tx, filter, listPage(cursor, LIST)));
    const times = timeText(operatorOf(request).timeZone);
    const field = { problems };
    return sendConsolePage(request, reply.code(problems.length > 0 ? 422 : 200), {
      ...{ title: TITLE, current: '/audit' },
      body: (
        <>
          <PageHead title={TITLE} about="Who did what, and why. It is only ever added to." />
          <div class="card card-flush">
            <ErrorSummary problems={problems} />
            <Filters action="/audit">
              <SelectField {...field} name="by" label="By" value={by} options={BY} />
              <TextField {...field} name="action" label="Action begins with" value={action} />
              <TextField {...field} name="subject" label="About (id)" value={subject} />
              <TextField {...field} name="customer" label="Customer (id)" value={customer} />
            </Filters>
            {page.items.length === 0 ? (
              <p class="nothing">Nothing of this kind was done.</p>
            ) : (
              <Table
                label="Acts"
                rows={page.items}
                keyOf={({ seq }) => String(seq)}
                columns={[
                  { title: `At (${times.zone})`, cell: ({ at }: FullAuditRow) => times.moment(at) },
                  { title: 'Who', cell: (row) => actorOf(vault, row) },
                  { title: 'What', cell: ({ action: done }) => done },
                  { title: 'About', cell: (row) => <code>{row.subject}</code> },
                  { title: 'Customer', cell: (row) => <Customer row={row} /> },
                  { title: 'Where', isMuted: true, cell: (row) => row.environment ?? '–' },
                  { title: 'Reason', cell: ({ details }) => reasonOf(details) },
                ]}
              />
            )}
            <Pager {...pagesAround({ path: '/audit', query }, cursor, page, LIST)} />
          </div>
        </>
      ),
    });
  });
}

/** Operators by name; users of customers by id alone, for their names are personal data. */
function actorOf(vault: Pick<Vault, 'open'>, { actor, operatorName }: FullAuditRow): string {
  if (operatorName === null) return actor;
  const id = actor.slice('operator:'.length);
  return vault.open(operatorName, personNameRow(id)).toString();
}

const reasonOf = ({ reason }: FullAuditRow['details']): string =>
  typeof reason === 'string' ? reason : '–';

const Customer = ({ row: { customerId } }: { readonly row: FullAuditRow }) =>
  customerId === null ? <>–</> : <a href={`/customers/${customerId}`}>{customerId}</a>;
