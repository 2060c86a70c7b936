import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditFilter, AuditRow } from '../../../db/operations/audit-list-store.ts';
import type { Page, PageRequest } from '../../../domain/lists.ts';
import { oneOf } from '../forms/filter-rules.ts';
import { readQuery } from '../forms/read-query.ts';
import { listPage, pagesAround } from '../list-pages.ts';
import { ErrorSummary } from '../parts/error-summary.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Filters } from '../parts/filters.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager } from '../parts/pager.tsx';
import { Table, type Column } from '../parts/table.tsx';
import type { Children } from '../parts/types.ts';
import { timeText, type TimeText } from '../time-text.ts';
import type { WebApp } from '../web-deps.ts';

const TITLE = 'Audit log';

const FILTERS = {
  by: { what: 'whose acts', isOptional: true, ...oneOf(['user', 'operator']) },
  action: { what: 'the beginning of an action', isOptional: true, lengthMax: 60 },
  subject: { what: 'an id', isOptional: true, lengthMax: 100 },
  customer: { what: 'a customer’s id', isOptional: true, lengthMax: 100 },
  cursor: { what: 'a cursor', isOptional: true, lengthMax: 200 },
} as const;

/** The audit log of one surface. */
export interface AuditPage<Row extends AuditRow> {
  /** What the list's cursors are called. */
  readonly listName: string;
  readonly about: string;
  /** What the choices of an actor are called: everyone, users, operators. */
  readonly actors: readonly [everyone: string, users: string, operators: string];
  /** Entries of all customers are shown, and one of them can be asked for. */
  readonly isOfAllCustomers: boolean;
  readonly timeZoneOf: (request: FastifyRequest) => string;
  readonly find: (
    request: FastifyRequest,
    filter: AuditFilter & { readonly customerId?: string },
    page: PageRequest,
  ) => Promise<Page<Row>>;
  readonly columns: (times: TimeText) => readonly Column<Row>[];
  readonly send: (
    request: FastifyRequest,
    reply: FastifyReply,
    page: { readonly title: string; readonly current: string; readonly body: Children },
  ) => unknown;
}

/** Registers GET /audit. A filter that cannot be read is answered with 422 and no rows. */
export function registerAuditPage<Row extends AuditRow>(app: WebApp, audit: AuditPage<Row>): void {
  const { customer: customerRule, ...rules } = FILTERS;
  const filters = audit.isOfAllCustomers ? { ...rules, customer: customerRule } : rules;
  const [everyone, users, operators] = audit.actors;
  const options = [
    { value: '', text: everyone },
    { value: 'user', text: users },
    { value: 'operator', text: operators },
  ];
  app.get('/audit', { config: { right: 'see-audit-log' } }, async (request, reply) => {
    const { values, problems } = readQuery(filters, request.query);
    const { cursor, ...query } = values;
    const { by, action, subject } = values;
    const customer = 'customer' in values ? values.customer : '';
    const filter = {
      ...(by !== '' && { by: by === 'user' ? ('user' as const) : ('operator' as const) }),
      ...(action !== '' && { action: action.toLowerCase().replaceAll(' ', '_') }),
      ...(subject !== '' && { subject }),
      ...(customer !== '' && { customerId: customer }),
    };
    const page: Page<Row> =
      problems.length > 0
        ? { items: [], next: null }
        : await audit.find(request, filter, listPage(cursor, audit.listName));
    const field = { problems };
    return audit.send(request, reply.code(problems.length > 0 ? 422 : 200), {
      ...{ title: TITLE, current: '/audit' },
      body: (
        <>
          <PageHead title={TITLE} about={audit.about} />
          <div class="card card-flush">
            <ErrorSummary problems={problems} />
            <Filters action="/audit">
              <SelectField {...field} name="by" label="By" value={by} options={options} />
              <TextField {...field} name="action" label="Action begins with" value={action} />
              <TextField {...field} name="subject" label="Subject ID" value={subject} />
              {audit.isOfAllCustomers ? (
                <TextField {...field} name="customer" label="Customer ID" value={customer} />
              ) : null}
            </Filters>
            {page.items.length === 0 ? (
              <p class="nothing">No entry matches these filters.</p>
            ) : (
              <Table
                label="Acts"
                rows={page.items}
                keyOf={({ seq }) => String(seq)}
                columns={audit.columns(timeText(audit.timeZoneOf(request)))}
              />
            )}
            <Pager {...pagesAround({ path: '/audit', query }, cursor, page, audit.listName)} />
          </div>
        </>
      ),
    });
  });
}
