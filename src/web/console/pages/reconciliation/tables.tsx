import type { IncomingCreditRow } from '../../../../db/ledger/incoming-credit-store.ts';
import type { LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import type { StatementExceptionRow } from '../../../../db/reconciliation/statement-exception-store.ts';
import type { StatementToMend } from '../../../../db/reconciliation/statement-page-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { creditFacts } from '../../../../modules/ledger/funding/assign-credit.ts';
import { Money } from '../../../kit/parts/money.tsx';
import { Waiting } from '../../parts/list-page.tsx';
import { moment, momentOrDash } from '../../parts/moments.ts';

/** Credits that are no customer's. */
export const CreditsTable = ({ rows }: { readonly rows: readonly IncomingCreditRow[] }) => (
  <Waiting
    label="Unmatched credits"
    rows={rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `/reconciliation/credits/${id}`}
    columns={[
      { title: 'Credit', cell: ({ id }) => <code>{id}</code> },
      { title: 'Environment', cell: ({ environment }) => environment },
      { title: 'Amount', isNumber: true, cell: (row) => <Money {...creditFacts(row)} /> },
      { title: 'Why', cell: ({ unmatchedReason }) => unmatchedReason ?? '–' },
      { title: 'Booked (UTC)', isMuted: true, cell: ({ bookedAt }) => momentOrDash(bookedAt) },
    ]}
    empty={{ title: 'No credit is unmatched', text: 'Every credit is a customer’s.' }}
  />
);

/** Final payments whose money came back. */
export const LateReturnsTable = ({ rows }: { readonly rows: readonly LateReturnRow[] }) => (
  <Waiting
    label="Money that came back late"
    rows={rows}
    keyOf={({ paymentId }) => paymentId}
    hrefOf={({ paymentId }) => `/payments/${paymentId}`}
    columns={[
      { title: 'Payment', cell: ({ paymentId }) => <code>{paymentId}</code> },
      { title: 'Environment', cell: ({ environment }) => environment },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, currency }) =>
          amount === null || currency === null ? (
            'on no statement yet'
          ) : (
            <Money amount={formatAmount(amount, currency)} currency={currency} />
          ),
      },
      { title: 'Contradicted by', cell: ({ contradictedBy }) => contradictedBy ?? '–' },
      { title: 'Told (UTC)', isMuted: true, cell: ({ toldAt }) => moment(toldAt) },
    ]}
    empty={{ title: 'Nothing came back late', text: 'No final payment’s money came back.' }}
  />
);

/** Lines, and statements, that nothing explains. */
export const ExceptionsTable = ({ rows }: { readonly rows: readonly StatementExceptionRow[] }) => (
  <Waiting
    label="Lines that no payment explains"
    rows={rows}
    keyOf={(row) => `${String(row.statementId)} ${String(row.line)} ${row.exception}`}
    hrefOf={({ statementId }) => `/statements/${String(statementId)}`}
    columns={[
      { title: 'Statement', cell: ({ bankStatementId }) => bankStatementId },
      { title: 'Line', isNumber: true, cell: ({ line }) => (line === null ? '–' : String(line)) },
      { title: 'Exception', cell: ({ exception }) => exception },
      { title: 'Environment', cell: ({ environment }) => environment },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, currency }) => (amount === null ? '–' : `${amount} ${currency ?? ''}`),
      },
    ]}
    empty={{
      title: 'Every line is explained',
      text: 'Nothing on a statement contradicts the books.',
    }}
  />
);

/** Statements that are not read. */
export const MendTable = ({ rows }: { readonly rows: readonly StatementToMend[] }) => (
  <Waiting
    label="Statements that were refused or cannot be read"
    rows={rows}
    keyOf={({ id }) => String(id)}
    hrefOf={({ id }) => `/statements/${String(id)}`}
    columns={[
      { title: 'Statement', cell: ({ bankStatementId }) => bankStatementId },
      { title: 'Bank', cell: ({ connector }) => connector },
      { title: 'Environment', cell: ({ environment }) => environment },
      { title: 'Status', cell: ({ status }) => status },
      { title: 'Listed (UTC)', isMuted: true, cell: ({ listedAt }) => moment(listedAt) },
    ]}
    empty={{ title: 'Every statement was read', text: 'None was refused for its number.' }}
  />
);
