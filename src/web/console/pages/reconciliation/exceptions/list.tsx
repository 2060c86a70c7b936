import { Type } from 'typebox';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import {
  countExceptionKinds,
  listOpenExceptions,
  type ExceptionKindRow,
  type ExceptionRow,
} from '../../../../../db/reconciliation/exception-act-store.ts';
import { listConnectors } from '../../../../../db/reconciliation/statement-page-store.ts';
import { durationWords } from '../../../../kit/duration-words.ts';
import { linkTo } from '../../../../kit/list-pages.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { hrefOf } from '../../../acts/act-href.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { PROPOSE_EXCEPTION_SET } from '../../../../../modules/operations/acts/exception-acts.ts';
import { operatorOf } from '../../../../kit/person.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { customerName } from '../../../parts/customer-link.tsx';
import { ROWS_MAX } from '../../../parts/list-page.tsx';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { exceptionWords } from '../../../words/statement-words.ts';
import { EXCEPTIONS_PATH, exceptionHref } from './exception-href.ts';

/** How old an exception is at least, in days. */
const AGES = ['1', '3', '7', '30'] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

const QUERY = Type.Object({
  kind: Type.Optional(Type.String({ pattern: '^[A-Z_]{0,40}$' })),
  bank: Type.Optional(Type.String({ maxLength: 100 })),
  customer: Type.Optional(Type.String({ maxLength: 100 })),
  age: Type.Optional(Type.Enum(['', ...AGES])),
  // Since when and which: "2026-09-29T11:00:00.000Z 12/3".
  after: Type.Optional(
    Type.String({
      pattern:
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z [0-9A-Za-z_/]{1,60}$',
    }),
  ),
});

/** GET /reconciliation/exceptions: what is open, by kind, and the oldest first. */
export function registerExceptions(app: WebApp, { db, clock }: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get(EXCEPTIONS_PATH, { config: { right: 'see' }, schema }, async (request, reply) => {
    const { kind = '', bank = '', customer = '', age = '', after = '' } = request.query;
    const now = clock.now();
    const filter = {
      ...{ exception: kind || null, connector: bank || null, customerId: customer.trim() || null },
      before: age === '' ? null : new Date(now.getTime() - Number(age) * DAY_MS),
      after: placeOf(after),
    };
    const { rows, kinds, connectors, names } = await db.system(async (tx) => {
      const found = await listOpenExceptions(tx, filter, ROWS_MAX + 1);
      const customers = found.flatMap(({ customerId }) => customerId ?? []);
      return {
        ...{ rows: found, kinds: await countExceptionKinds(tx) },
        connectors: await listConnectors(tx),
        names: await readCustomerNames(tx, customers),
      };
    });
    const shown = rows.slice(0, ROWS_MAX);
    const last = shown.at(-1);
    const query = { kind, bank, customer: customer.trim(), age };
    return sendConsolePage(request, reply, {
      title: 'Exceptions',
      current: EXCEPTIONS_PATH,
      body: (
        <>
          <PageHead
            title="Exceptions"
            about="What the bank’s statements show and the books do not, the oldest first."
          />
          <Card title="By kind" isFlush>
            <KindTable kinds={kinds} now={now} />
          </Card>
          <ActLinks
            operator={operatorOf(request)}
            links={[
              {
                ...{ href: hrefOf(PROPOSE_EXCEPTION_SET, ''), text: PROPOSE_EXCEPTION_SET.title },
                right: PROPOSE_EXCEPTION_SET.right,
              },
            ]}
          />
          <Filters action={EXCEPTIONS_PATH}>
            <SelectField
              {...{ name: 'kind', label: 'Kind', value: kind }}
              options={choices(kinds.map(({ exception }) => exception))}
            />
            <SelectField
              {...{ name: 'bank', label: 'Bank', value: bank }}
              options={choices(connectors)}
            />
            <TextField name="customer" label="Customer" type="search" value={customer} />
            <SelectField
              {...{ name: 'age', label: 'Age', value: age }}
              options={[
                { value: '', text: 'All' },
                ...AGES.map((days) => ({
                  value: days,
                  text: `More than ${durationWords(Number(days) * DAY_MS)}`,
                })),
              ]}
            />
          </Filters>
          {shown.length === 0 ? (
            <EmptyState title="No exception is open">
              An exception appears here until two operators have ended it.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <Table
                label="Open exceptions"
                rows={shown}
                columns={columnsAt(now, names)}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => exceptionHref(id)}
              />
            </div>
          )}
          {rows.length > ROWS_MAX && last !== undefined ? (
            <a
              class="button button-plain"
              href={linkTo(EXCEPTIONS_PATH, {
                ...query,
                after: `${last.since.toISOString()} ${last.id}`,
              })}
            >
              Next exceptions
            </a>
          ) : null}
          {after === '' ? null : (
            <a class="button button-plain" href={linkTo(EXCEPTIONS_PATH, query)}>
              Oldest exceptions
            </a>
          )}
        </>
      ),
    });
  });
}

const choices = (values: readonly string[]) => [
  { value: '', text: 'All' },
  ...values.map((value) => ({ value, text: value })),
];

function placeOf(after: string): Pick<ExceptionRow, 'since' | 'id'> | null {
  const [since = '', id = ''] = after.split(' ');
  return Number.isNaN(Date.parse(since)) ? null : { since: new Date(since), id };
}

const KindTable = (props: { readonly kinds: readonly ExceptionKindRow[]; readonly now: Date }) =>
  props.kinds.length === 0 ? (
    <p class="nothing">No exception is open.</p>
  ) : (
    <Table
      label="Open exceptions by kind"
      rows={props.kinds}
      keyOf={({ exception }) => exception}
      hrefOf={({ exception }) => linkTo(EXCEPTIONS_PATH, { kind: exception })}
      columns={[
        { title: 'Kind', cell: ({ exception }) => exceptionWords(exception).words },
        { title: 'Code', cell: ({ exception }) => <code>{exception}</code> },
        { title: 'Open', isNumber: true, cell: ({ count }) => String(count) },
        {
          ...{ title: 'Oldest', isMuted: true },
          cell: ({ oldest }) => durationWords(props.now.getTime() - oldest.getTime()),
        },
      ]}
    />
  );

const columnsAt = (
  now: Date,
  names: ReadonlyMap<string, string>,
): readonly Column<ExceptionRow>[] => [
  { title: 'Exception', cell: ({ id }) => <code>{id}</code> },
  { title: 'What is wrong', cell: ({ exception }) => exceptionWords(exception).words },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  { title: 'Bank', cell: ({ connector }) => connector ?? '–' },
  {
    title: 'Customer',
    cell: ({ customerId }) => (customerId === null ? '–' : customerName(names, customerId)),
  },
  { ...{ title: 'Amount', isNumber: true }, cell: (row) => amountOf(row) },
  {
    ...{ title: 'Age', isMuted: true },
    cell: ({ since }) => durationWords(now.getTime() - since.getTime()),
  },
];

/** As the bank wrote it; what left is negative. */
const amountOf = ({ amount, currency, direction }: ExceptionRow): string =>
  amount === null ? '–' : `${direction === 'DBIT' ? '-' : ''}${amount} ${currency ?? ''}`;
