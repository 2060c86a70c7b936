import type { OpsDeposit } from '../../../../../db/onchain/ops-deposit-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import type { Column } from '../../../../kit/parts/table.tsx';
import { moment } from '../../../parts/moments.ts';
import { depositChip } from '../../../words/deposit-words.ts';
import { environmentWords } from '../../../words/payment-fact-words.ts';

export const DepositChip = ({ deposit }: { readonly deposit: OpsDeposit }) => (
  <Chip {...depositChip(deposit)} />
);

export const DEPOSIT_COLUMNS: readonly Column<OpsDeposit>[] = [
  { title: 'Deposit', cell: ({ id }) => <code>{id}</code> },
  { title: 'Status', cell: (deposit) => <DepositChip deposit={deposit} /> },
  { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
  { title: 'Network', cell: ({ network }) => network },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, asset }) => <Money amount={formatAmount(amount, asset)} currency={asset} />,
  },
  { title: 'Seen (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
];
