import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { DEPOSIT_WORDS } from '../../../../kit/words/deposit-status.ts';
import { appliedWords } from '../../../words/deposit-words.ts';
import { shortId } from '../../../words/mask.ts';

const SHORT: readonly Column<DepositRow>[] = [
  { title: 'Deposit', cell: ({ id }) => <code>{shortId(id)}</code> },
  { title: 'Status', cell: ({ status }) => <Chip {...DEPOSIT_WORDS[status]} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, asset }) => <Money amount={formatAmount(amount, asset)} currency={asset} />,
  },
];

/** The columns of the list of deposits. */
export const depositColumns = (times: TimeText): readonly Column<DepositRow>[] => [
  ...SHORT,
  { title: 'Network', cell: ({ network }) => network },
  {
    title: 'For',
    isMuted: true,
    cell: ({ paymentId, depositAddressId }) => (
      <code>{shortId(paymentId ?? depositAddressId ?? '')}</code>
    ),
  },
  { title: 'Is in', isMuted: true, cell: appliedWords },
  {
    title: `First seen (${times.zone})`,
    isMuted: true,
    cell: ({ createdAt }) => times.moment(createdAt),
  },
];

/** Deposits in a card of half a page, a row each. */
export const DepositTable = (props: {
  readonly path: string;
  readonly deposits: readonly DepositRow[];
}) => (
  <Table
    label="Deposits"
    rows={props.deposits}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${props.path}/${id}`}
    columns={SHORT}
  />
);
