import type { PaymentRow } from '../../../../db/payments/payment-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { railOf } from '../../../../domain/payments/payment-destination.ts';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { Table, type Column } from '../../../kit/parts/table.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import { shortId } from '../../words/mask.ts';
import { STATUS_WORDS } from '../../../kit/words/payment-status.ts';

export const paymentColumns = (times: TimeText): readonly Column<PaymentRow>[] => [
  { title: 'Payment', cell: ({ id }) => <code>{shortId(id)}</code> },
  { title: 'Status', cell: ({ status }) => <Chip {...STATUS_WORDS[status]} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, unit }) => <Money amount={formatAmount(amount, unit)} currency={unit} />,
  },
  { title: 'Rail', cell: ({ destination }) => railOf(destination) },
  { title: 'External ID', isMuted: true, cell: ({ externalId }) => shorten(externalId) },
  {
    title: `Created (${times.zone})`,
    isMuted: true,
    cell: ({ createdAt }) => times.moment(createdAt),
  },
];

/** Payments, a row each. */
export const PaymentTable = (props: {
  readonly path: string;
  readonly payments: readonly PaymentRow[];
  readonly times: TimeText;
}) => (
  <Table
    label="Payments"
    rows={props.payments}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${props.path}/${id}`}
    columns={paymentColumns(props.times)}
  />
);

const EXTERNAL_ID_SHOWN = 32;

function shorten(text: string | null): string {
  const letters = Array.from(text ?? '');
  if (letters.length <= EXTERNAL_ID_SHOWN) return text ?? '';
  return `${letters.slice(0, EXTERNAL_ID_SHOWN - 1).join('')}…`;
}
