import type { OpsPayment } from '../../../db/operations/ops-store.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { Chip, type Tone } from '../../kit/parts/chip.tsx';
import { Money } from '../../kit/parts/money.tsx';
import type { Column } from '../../kit/parts/table.tsx';
import { moment } from './moments.ts';

const TONES: Readonly<Record<string, Tone>> = {
  ON_HOLD: 'wait',
  PROCESSING: 'moving',
  SENT: 'moving',
  COMPLETED: 'ok',
  FAILED: 'bad',
  RETURNED: 'back',
};

export const PaymentChip = ({ payment }: { readonly payment: OpsPayment }) => (
  <Chip tone={TONES[payment.status] ?? 'none'} text={payment.statusDetail} />
);

export const PAYMENT_COLUMNS: readonly Column<OpsPayment>[] = [
  { title: 'Payment', cell: ({ id }) => <code>{id}</code> },
  { title: 'Status', cell: (payment) => <PaymentChip payment={payment} /> },
  { title: 'Environment', cell: ({ environment }) => environment },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => (
      <Money amount={formatAmount(amount, currency)} currency={currency} />
    ),
  },
  { title: 'Reconciliation', cell: ({ reconciliationStatus }) => reconciliationStatus },
  {
    title: 'Since (UTC)',
    isMuted: true,
    cell: ({ heldSince, updatedAt }) => moment(heldSince ?? updatedAt),
  },
];
