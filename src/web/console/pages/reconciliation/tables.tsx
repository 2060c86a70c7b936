import { listUnmatchedCredits } from '../../../../db/ledger/incoming-credit-store.ts';
import type { IncomingCreditRow } from '../../../../db/ledger/incoming-credit-store.ts';
import { listUndecidedLateReturns } from '../../../../db/payments/late-return-store.ts';
import type { LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import {
  listUnresolvedStatementExceptions,
  type StatementExceptionRow,
} from '../../../../db/reconciliation/statement-exception-store.ts';
import {
  listStatementsToMend,
  type StatementToMend,
} from '../../../../db/reconciliation/statement-page-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { creditFacts } from '../../../../modules/ledger/funding/assign-credit.ts';
import { Money } from '../../../kit/parts/money.tsx';
import type { Column } from '../../../kit/parts/table.tsx';
import { ROWS_MAX } from '../../parts/list-page.tsx';
import { moment, momentOrDash } from '../../parts/moments.ts';
import type { Section } from '../../parts/sections.ts';
import { WaitingSection } from '../../parts/waiting-section.tsx';
import { environmentWords } from '../../words/payment-fact-words.ts';
import { exceptionWords, statementWords, unmatchedWords } from '../../words/statement-words.ts';

const CREDIT_COLUMNS: readonly Column<IncomingCreditRow>[] = [
  { title: 'Credit', cell: ({ id }) => <code>{id}</code> },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  { title: 'Amount', isNumber: true, cell: (row) => <Money {...creditFacts(row)} /> },
  { title: 'Why', cell: ({ unmatchedReason }) => unmatchedWords(unmatchedReason).words },
  { title: 'Booked (UTC)', isMuted: true, cell: ({ bookedAt }) => momentOrDash(bookedAt) },
];

/** Credits that belong to no customer. */
export const CREDITS: Section = {
  ...{ show: 'credits', kind: 'UNMATCHED_CREDIT' },
  read: async (tx) => {
    const rows = await listUnmatchedCredits(tx, null, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Unmatched credits', kind: 'UNMATCHED_CREDIT', waiting, rows }}
        columns={CREDIT_COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reconciliation/credits/${id}`}
        empty="Every credit belongs to a customer."
      />
    );
  },
};

const LATE_COLUMNS: readonly Column<LateReturnRow>[] = [
  { title: 'Payment', cell: ({ paymentId }) => <code>{paymentId}</code> },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? (
        'Not on a statement yet'
      ) : (
        <Money amount={formatAmount(amount, currency)} currency={currency} />
      ),
  },
  {
    title: 'Contradicted by',
    cell: ({ contradictedBy }) =>
      contradictedBy === null ? '–' : exceptionWords(contradictedBy).words,
  },
  { title: 'Reported (UTC)', isMuted: true, cell: ({ toldAt }) => moment(toldAt) },
];

/** Final payments whose money came back. */
const LATE_RETURNS: Section = {
  ...{ show: 'late-returns', kind: 'LATE_RETURN' },
  read: async (tx) => {
    const rows = await listUndecidedLateReturns(tx, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Late returns', kind: 'LATE_RETURN', waiting, rows }}
        columns={LATE_COLUMNS}
        keyOf={({ paymentId }) => paymentId}
        hrefOf={({ paymentId }) => `/payments/${paymentId}`}
        empty="No money came back after its payment was final."
      />
    );
  },
};

const EXCEPTION_COLUMNS: readonly Column<StatementExceptionRow>[] = [
  { title: 'Statement', cell: ({ bankStatementId }) => bankStatementId },
  { title: 'Line', isNumber: true, cell: ({ line }) => (line === null ? '–' : String(line)) },
  { title: 'What is wrong', cell: ({ exception }) => exceptionWords(exception).words },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => (amount === null ? '–' : `${amount} ${currency ?? ''}`),
  },
  { title: 'Expected', isMuted: true, cell: ({ expected }) => expected ?? '–' },
];

/** Lines, and statements, that nothing explains. */
const EXCEPTIONS: Section = {
  ...{ show: 'exceptions', kind: null },
  read: async (tx) => {
    const rows = await listUnresolvedStatementExceptions(tx, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Lines that no payment explains', kind: null, waiting, rows }}
        columns={EXCEPTION_COLUMNS}
        keyOf={(row) => `${String(row.statementId)} ${String(row.line)} ${row.exception}`}
        hrefOf={({ statementId }) => `/statements/${String(statementId)}`}
        empty="A payment or credit explains every line."
      />
    );
  },
};

const MEND_COLUMNS: readonly Column<StatementToMend>[] = [
  { title: 'Statement', cell: ({ bankStatementId }) => bankStatementId },
  { title: 'Bank', cell: ({ connector }) => connector },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  { title: 'Status', cell: ({ status }) => statementWords(status).text },
  { title: 'Listed (UTC)', isMuted: true, cell: ({ listedAt }) => moment(listedAt) },
];

/** Statements that are not read. */
const TO_MEND: Section = {
  ...{ show: 'statements', kind: 'STATEMENT_REFUSED' },
  read: async (tx) => {
    const rows = await listStatementsToMend(tx, ROWS_MAX + 1);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Statements that were refused or cannot be read', rows }}
        {...{ kind: 'STATEMENT_REFUSED', waiting, columns: MEND_COLUMNS }}
        keyOf={({ id }) => String(id)}
        hrefOf={({ id }) => `/statements/${String(id)}`}
        empty="Every statement was read."
      />
    );
  },
};

/** All of the page of reconciliation. */
export const RECONCILIATION_SECTIONS: readonly Section[] = [
  ...[CREDITS, LATE_RETURNS, EXCEPTIONS, TO_MEND],
];
