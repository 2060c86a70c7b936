import { Type } from 'typebox';
import type { SystemTransaction } from '../../../../db/client/database.ts';
import {
  listDepositsNotPaidOn,
  searchDeposits,
  type OpsDeposit,
} from '../../../../db/onchain/ops-deposit-store.ts';
import { listStuckPayments, type OpsPayment } from '../../../../db/operations/ops-store.ts';
import { listWaitingPayments } from '../../../../db/operations/waiting-store.ts';
import { searchPayments } from '../../../../db/payments/payment-search-store.ts';
import {
  listUnsurePayments,
  type UnsurePayment,
} from '../../../../db/payments/unsure-payment-store.ts';
import { readEvidence } from '../../../../modules/payments/stuck-evidence.ts';
import { quietSince } from '../../../../modules/payments/stuck-payments.ts';
import type { StuckSection } from '../../../../modules/payments/stuck-section.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { SelectField, TextField } from '../../../kit/parts/field.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Table, type Column } from '../../../kit/parts/table.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../parts/list-page.tsx';
import { moment } from '../../parts/moments.ts';
import { PAYMENT_COLUMNS } from '../../parts/payment-columns.tsx';
import { readSections, type Section } from '../../parts/sections.ts';
import { WaitingSection, type WaitingAt } from '../../parts/waiting-section.tsx';
import { environmentWords } from '../../words/payment-fact-words.ts';
import { DEPOSIT_COLUMNS } from '../onchain/deposits/deposit-columns.tsx';

const QUERY = Type.Object({
  find: Type.Optional(Type.String({ maxLength: 300 })),
  show: Type.Optional(Type.String({ maxLength: 30 })),
});

const PATH = '/payments';

/**
 * GET /payments: those that need an operator, or one list of them; with `find`, those of an id, a reference, a request,
 * or a partner's key, and deposits of an id, a transaction, or an address.
 */
export function registerPayments(app: WebApp, deps: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get(PATH, { config: { right: 'see' }, schema }, async (request, reply) => {
    const find = request.query.find?.trim() ?? '';
    const show = SHOWN.find(({ value }) => value === request.query.show)?.value ?? '';
    const content = find === '' ? await waiting(deps, show) : await found(deps, find);
    return sendConsolePage(request, reply, {
      title: 'Payments',
      current: PATH,
      body: (
        <>
          <PageHead
            title="Payments"
            about="Payments that need an operator. Search finds any payment."
          />
          <div class="card card-flush">
            <Filters action={PATH}>
              <TextField
                name="find"
                label="ID, reference, request, idempotency key, transaction, or address"
                type="search"
                value={find}
              />
              <SelectField name="show" label="Show" value={show} options={SHOWN} />
            </Filters>
          </div>
          {content}
        </>
      ),
    });
  });
}

const SHOWN = [
  { value: '', text: 'Everything that needs attention' },
  { value: 'held', text: 'On hold' },
  { value: 'contradicted', text: 'Contradicted by the bank' },
  { value: 'unsure', text: 'Maybe paid before a restore' },
  { value: 'not-paid-on', text: 'Deposits not paid on' },
];

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
    hrefOf={({ id }) => `${PATH}/${id}`}
    empty={{
      title: 'No payment found',
      text: 'Enter the whole ID, reference, key, transaction, or address.',
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

/** Payments that wait for an operator, as one list or as several. */
async function waiting({ db, clock }: ConsoleDeps, show: string): Promise<readonly Children[]> {
  const now = clock.now();
  return db.system(async (tx) => {
    if (show !== '') return readSections(tx, LISTS, show, now);
    const stuck = await listStuckPayments(tx, quietSince(now), ROWS_MAX + 1);
    const others = await readSections(tx, [UNSURE, NOT_PAID_ON], undefined, now);
    const evidence = await readEvidence(tx, now, ROWS_MAX);
    return [
      paymentsSection(
        'Payments on hold, contradicted, or not moving',
        null,
        stuck.payments,
      )({
        ...{ rows: [], now },
      }),
      ...others,
      ...evidence
        .filter(({ rows }) => rows.length > 0)
        .map((section) => <Evidence key={section.title} section={section} />),
    ];
  });
}

const paymentsSection =
  (
    title: string,
    kind: 'PAYMENT_HELD' | 'PAYMENT_CONTRADICTED' | null,
    rows: readonly OpsPayment[],
  ) =>
  (at: WaitingAt) => (
    <WaitingSection
      {...{ title, kind, rows, waiting: at }}
      columns={PAYMENT_COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `${PATH}/${id}`}
      empty="No payment needs your attention."
    />
  );

const UNSURE_COLUMNS: readonly Column<UnsurePayment>[] = [
  { title: 'Payment', cell: ({ paymentId }) => <code>{paymentId}</code> },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  { title: 'Reference', cell: ({ reference }) => <code>{reference}</code> },
  { title: 'Networks', cell: ({ heldBy }) => heldBy.split(' ').slice(1).join(', ') },
  { title: 'Since (UTC)', isMuted: true, cell: ({ since }) => moment(since) },
];

const UNSURE: Section = {
  ...{ show: 'unsure', kind: 'PAYMENT_UNSURE' },
  read: async (tx) => {
    const rows = await listUnsurePayments(tx, ROWS_MAX + 1);
    return (at) => (
      <WaitingSection
        {...{ title: 'Payments that a network may have paid before a restore', rows }}
        {...{ kind: 'PAYMENT_UNSURE', waiting: at, columns: UNSURE_COLUMNS }}
        keyOf={({ paymentId }) => paymentId}
        hrefOf={({ paymentId }) => `${PATH}/${paymentId}`}
        empty="No payment may have been paid before a restore."
      />
    );
  },
};

const NOT_PAID_ON: Section = {
  ...{ show: 'not-paid-on', kind: 'DEPOSIT_NOT_PAID_ON' },
  read: async (tx, now) => {
    const rows = await listDepositsNotPaidOn(tx, now, ROWS_MAX + 1);
    return (at) => (
      <WaitingSection
        {...{ title: 'Deposits that were not paid on in time', rows }}
        {...{ kind: 'DEPOSIT_NOT_PAID_ON', waiting: at, columns: DEPOSIT_COLUMNS }}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/deposits/${id}`}
        empty="Every deposit was paid on in time."
      />
    );
  },
};

const paymentsOf = (
  show: string,
  kind: 'PAYMENT_HELD' | 'PAYMENT_CONTRADICTED',
  title: string,
): Section => ({
  show,
  kind,
  read: async (tx: SystemTransaction) =>
    paymentsSection(title, kind, await listWaitingPayments(tx, kind, ROWS_MAX + 1)),
});

const LISTS: readonly Section[] = [
  paymentsOf('held', 'PAYMENT_HELD', 'Payments on hold'),
  paymentsOf('contradicted', 'PAYMENT_CONTRADICTED', 'Payments that the bank contradicts'),
  UNSURE,
  NOT_PAID_ON,
];

const isPayment = (cell: string | undefined): boolean => cell?.startsWith('pay_') === true;
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*Z$/;

/** What banks reported and no payment's row shows. */
const Evidence = ({ section }: { readonly section: StuckSection }) => (
  <Card title={section.title} aside={section.hasMore ? 'There are more' : ''} isFlush>
    <Table
      label={section.title}
      rows={section.rows}
      keyOf={(row) => row.join(' ')}
      {...(isPayment(section.rows[0]?.[0])
        ? { hrefOf: (row: readonly string[]) => `${PATH}/${row[0] ?? ''}` }
        : {})}
      columns={section.head.map((title, index) => ({
        title: title.charAt(0).toUpperCase() + title.slice(1),
        cell: (row: readonly string[]) => {
          const cell = row[index] ?? '';
          return ISO_TIME.test(cell) ? moment(new Date(cell)) : cell;
        },
        isNumber: title === 'amount',
      }))}
    />
  </Card>
);
