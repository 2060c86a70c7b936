import { Type } from 'typebox';
import { searchDeposits, type OpsDeposit } from '../../../../db/onchain/ops-deposit-store.ts';
import type { OpsPayment } from '../../../../db/operations/ops-store.ts';
import { searchPayments } from '../../../../db/payments/payment-search-store.ts';
import { readStuckSections } from '../../../../modules/payments/stuck-payments.ts';
import type { StuckSection } from '../../../../modules/payments/stuck-section.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { TextField } from '../../../kit/parts/field.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../parts/list-page.tsx';
import { PAYMENT_COLUMNS } from '../../parts/payment-columns.tsx';
import { DEPOSIT_COLUMNS } from '../onchain/deposits/deposit-columns.tsx';

const QUERY = Type.Object({ find: Type.Optional(Type.String({ maxLength: 300 })) });

/**
 * GET /payments: those that are stuck; with `find`, those of an id, a reference or a partner's key, and deposits of an
 * id, a transaction or an address.
 */
export function registerPayments(app: WebApp, deps: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get('/payments', { config: { right: 'see' }, schema }, async (request, reply) => {
    const find = request.query.find?.trim() ?? '';
    const content = find === '' ? await stuck(deps) : await found(deps, find);
    return sendConsolePage(request, reply, {
      title: 'Payments',
      current: '/payments',
      body: (
        <>
          <PageHead
            title="Payments"
            about="What is held, contradicts the bank, or does not move."
          />
          <Filters action="/payments">
            <TextField
              name="find"
              label="Id, reference, request, partner’s key, transaction or address"
              type="search"
              value={find}
            />
          </Filters>
          {content}
        </>
      ),
    });
  });
}

async function found({ db }: ConsoleDeps, text: string) {
  const { rows, deposits } = await db.system(async (tx) => ({
    rows: await searchPayments(tx, text),
    deposits: await searchDeposits(tx, text),
  }));
  const isDepositAlone = rows.length === 0 && deposits.length > 0;
  return (
    <>
      {isDepositAlone ? null : <FoundPayments rows={rows} />}
      {deposits.length === 0 ? null : <FoundDeposits rows={deposits} />}
    </>
  );
}

const FoundPayments = ({ rows }: { readonly rows: readonly OpsPayment[] }) => (
  <Waiting
    label="Payments found"
    rows={rows}
    columns={PAYMENT_COLUMNS}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `/payments/${id}`}
    empty={{
      title: 'Nothing is found by that',
      text: 'It must be the whole id, reference, key, transaction or address.',
    }}
  />
);

const FoundDeposits = ({ rows }: { readonly rows: readonly OpsDeposit[] }) => (
  <Card title="Deposits" isFlush>
    <Table
      label="Deposits found"
      rows={rows}
      columns={DEPOSIT_COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/deposits/${id}`}
    />
  </Card>
);

async function stuck(deps: ConsoleDeps) {
  const sections = (await readStuckSections(deps, ROWS_MAX)).filter(({ rows }) => rows.length > 0);
  if (sections.length === 0) {
    return <EmptyState title="No payment is stuck">What waits for a human stands here.</EmptyState>;
  }
  return sections.map((section) => <StuckTable key={section.title} section={section} />);
}

const isPayment = (cell: string | undefined): boolean => cell?.startsWith('pay_') === true;

const StuckTable = ({ section }: { readonly section: StuckSection }) => (
  <Card title={section.title} aside={section.hasMore ? 'There are more' : ''} isFlush>
    <Table
      label={section.title}
      rows={section.rows}
      keyOf={(row) => row.join(' ')}
      {...(isPayment(section.rows[0]?.[0])
        ? { hrefOf: (row: readonly string[]) => `/payments/${row[0] ?? ''}` }
        : {})}
      columns={section.head.map((title, index) => ({
        title: title.charAt(0).toUpperCase() + title.slice(1),
        cell: (row: readonly string[]) => row[index] ?? '',
        isNumber: title === 'amount',
      }))}
    />
  </Card>
);
