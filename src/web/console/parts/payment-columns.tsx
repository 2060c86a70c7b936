import type { OpsPayment } from '../../../db/operations/ops-store.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { Chip } from '../../kit/parts/chip.tsx';
import { Money } from '../../kit/parts/money.tsx';
import type { Column } from '../../kit/parts/table.tsx';
import { statusWords } from '../../kit/words/payment-status.ts';
import { detailWordsOf } from '../words/payment-detail-words.ts';
import { environmentWords, reconciliationWords } from '../words/payment-fact-words.ts';
import { moment } from './moments.ts';

export const PaymentChip = ({ payment }: { readonly payment: OpsPayment }) => (
  <Chip {...statusWords(payment.status)} />
);

export const PAYMENT_COLUMNS: readonly Column<OpsPayment>[] = [
  { title: 'Payment', cell: ({ id }) => <code>{id}</code> },
  { title: 'Status', cell: (payment) => <PaymentChip payment={payment} /> },
  { title: 'Why', cell: ({ statusDetail }) => detailWordsOf(statusDetail).label },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => (
      <Money amount={formatAmount(amount, currency)} currency={currency} />
    ),
  },
  {
    title: 'Statement',
    cell: ({ reconciliationStatus }) => reconciliationWords(reconciliationStatus).words,
  },
  {
    title: 'Since (UTC)',
    isMuted: true,
    cell: ({ heldSince, updatedAt }) => moment(heldSince ?? updatedAt),
  },
];
