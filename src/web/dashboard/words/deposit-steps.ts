import type { DepositHistoryRow } from '../../../db/onchain/deposit-history-store.ts';
import type { DepositStatus } from '../../../domain/onchain/deposits/deposit.ts';
import type { TimelineStep } from '../../kit/parts/timeline.tsx';
import type { TimeText } from '../../kit/time-text.ts';
import { DEPOSIT_WORDS } from '../../kit/words/deposit-status.ts';
import { REASON_WORDS } from './deposit-words.ts';

interface Confirmations {
  readonly have: number;
  readonly need: number | null;
}

/** What a deposit went through, and what comes next. Versions that show nothing new are left out. */
export function depositSteps(
  history: readonly DepositHistoryRow[],
  confirmations: Confirmations,
  times: TimeText,
): TimelineStep[] {
  const shown = history.filter((row, index) => isNews(row, history[index - 1]));
  const next = nextStep(shown.at(-1)?.status, confirmations);
  const first = shown[0]?.at;
  const done = shown.map((row, index): TimelineStep => {
    const isNow = next !== null && index === shown.length - 1;
    const at =
      first === undefined || index === 0 ? times.moment(row.at) : times.clock(row.at, first);
    return {
      state: isNow ? 'now' : 'done',
      title: titleOf(row, shown[index - 1]),
      detail: row.reason === null ? undefined : REASON_WORDS[row.reason],
      time: `${at} · v${String(row.version)}`,
    };
  });
  return next === null ? done : [...done, next];
}

const isNews = (row: DepositHistoryRow, before: DepositHistoryRow | undefined): boolean =>
  before === undefined ||
  (['status', 'appliedTo', 'reason', 'blockHash'] as const).some(
    (name) => row[name] !== before[name],
  );

function titleOf(row: DepositHistoryRow, before: DepositHistoryRow | undefined): string {
  if (row.status !== before?.status) return DEPOSIT_WORDS[row.status].text;
  if (row.blockHash !== before.blockHash) return 'In another block';
  return row.appliedTo === before.appliedTo ? 'Stays in your balance' : 'Moved to your balance';
}

function nextStep(
  status: DepositStatus | undefined,
  { have, need }: Confirmations,
): TimelineStep | null {
  if (status === 'CREDITED') {
    return {
      ...{ state: 'next', title: DEPOSIT_WORDS.FINAL.text },
      ...{ detail: 'waits for the network', time: 'time not known' },
    };
  }
  if (status !== 'SEEN') return null;
  const left = need === null ? null : Math.max(need - have, 0);
  return {
    ...{ state: 'next', title: DEPOSIT_WORDS.CREDITED.text },
    detail: left === 0 ? 'the sender is being screened' : 'waits for the network',
    time: left === null || left === 0 ? 'time not known' : `after ${blocks(left)} more`,
  };
}

const blocks = (count: number): string => (count === 1 ? '1 block' : `${String(count)} blocks`);
