import {
  listOwnAudit,
  type AuditFilter,
  type AuditRow,
} from '../../../../../db/operations/audit-list-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { ErrorSummary } from '../../../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { userOf } from '../../../../kit/person.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actionWord, actorWord, subjectHref } from '../../../words/audit-words.ts';
import { oneOf } from '../../filter-rules.ts';

const LIST = 'audit-log';
const TITLE = 'Audit log';

const FILTERS = {
  by: { what: 'whose acts', isOptional: true, ...oneOf(['user', 'operator']) },
  action: { what: 'the beginning of an action', isOptional: true, lengthMax: 60 },
  subject: { what: 'an id', isOptional: true, lengthMax: 100 },
  cursor: { what: 'a cursor', isOptional: true, lengthMax: 200 },
} as const;

const BY = [
  { value: '', text: 'Users and operators' },
  { value: 'user', text: 'Your users' },
  { value: 'operator', text: 'Operators' },
];

/** GET /audit: what the company's users did, and operators about it. */
export function listAuditLog(app: WebApp, { db, vault }: DashboardDeps): void {
  app.get('/audit', { config: { right: 'see-audit-log' } }, async (request, reply) => {
    const { customer, timeZone } = userOf(request);
    const { values, problems } = readQuery(FILTERS, request.query);
    const { cursor, ...query } = values;
    const { by, action, subject } = values;
    const filter: AuditFilter = {
      ...(by !== '' && { by: by === 'user' ? 'user' : 'operator' }),
      ...(action !== '' && { action: action.toLowerCase().replaceAll(' ', '_') }),
      ...(subject !== '' && { subject }),
    };
    // The entries are the company's, whichever environment they are of.
    const scope = { customerId: customer.id, environment: 'test' } as const;
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            listOwnAudit(tx, customer.id, filter, listPage(cursor, LIST)),
          );
    const times = timeText(timeZone);
    const field = { problems };
    return sendDashboardPage(request, reply.code(problems.length > 0 ? 422 : 200), {
      ...{ title: TITLE, environment: null, current: '/audit' },
      body: (
        <>
          <PageHead title={TITLE} about="What your users did, and operators about your company." />
          <div class="card card-flush">
            <ErrorSummary problems={problems} />
            <Filters action="/audit">
              <SelectField {...field} name="by" label="By" value={by} options={BY} />
              <TextField {...field} name="action" label="Action begins with" value={action} />
              <TextField {...field} name="subject" label="About (id)" value={subject} />
            </Filters>
            {page.items.length === 0 ? (
              <p class="nothing">Nothing of this kind was done.</p>
            ) : (
              <Table
                label="Acts"
                rows={page.items}
                keyOf={({ seq }) => String(seq)}
                columns={[
                  { title: `At (${times.zone})`, cell: ({ at }: AuditRow) => times.moment(at) },
                  { title: 'Who', cell: (row) => actorWord(vault, row) },
                  { title: 'What', cell: (row) => actionWord(row.action) },
                  { title: 'About', cell: (row) => <Subject row={row} /> },
                  { title: 'Where', isMuted: true, cell: (row) => row.environment ?? 'company' },
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

const Subject = ({ row }: { readonly row: AuditRow }) => {
  const href = subjectHref(row);
  const id = <code>{row.subject}</code>;
  return href === null ? id : <a href={href}>{id}</a>;
};
