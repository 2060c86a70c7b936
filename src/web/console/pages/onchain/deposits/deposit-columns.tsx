import type { OpsDeposit } from '../../../../../db/onchain/ops-deposit-store.ts';
import type { DepositStatus } from '../../../../../domain/onchain/deposits/deposit.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { Chip, type Tone } from '../../../../kit/parts/chip.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import type { Column } from '../../../../kit/parts/table.tsx';
import { moment } from '../../../parts/moments.ts';

const TONES: Readonly<Record<DepositStatus, Tone>> = {
  SEEN: 'moving',
  CREDITED: 'ok',
  FINAL: 'ok',
  ORPHANED: 'back',
  BLOCKED: 'bad',
  KEPT: 'bad',
};

export const DepositChip = ({ deposit }: { readonly deposit: OpsDeposit }) =>
  deposit.status === 'SEEN' && deposit.review === 'HELD' ? (
    <Chip tone="wait" text="HELD" />
  ) : (
    <Chip tone={TONES[deposit.status]} text={deposit.status} />
  );

export const DEPOSIT_COLUMNS: readonly Column<OpsDeposit>[] = [
  { title: 'Deposit', cell: ({ id }) => <code>{id}</code> },
  { title: 'Status', cell: (deposit) => <DepositChip deposit={deposit} /> },
  { title: 'Environment', cell: ({ environment }) => environment },
  { title: 'Network', cell: ({ network }) => network },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, asset }) => <Money amount={formatAmount(amount, asset)} currency={asset} />,
  },
  { title: 'Seen (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
];
