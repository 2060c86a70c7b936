import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  findCoverTrades,
  findTradeOnLine,
  findUndoingTrade,
  listTradeTies,
  type CoverTradeRow,
} from '../../../db/ledger/cover-trade-store.ts';
import type { ExceptionRow } from '../../../db/reconciliation/exception-act-store.ts';
import { isMarkedReturn } from '../../../db/reconciliation/booking-twin-store.ts';
import type { Money } from '../../../domain/ledger/movements.ts';
import { PLATFORM_ACCOUNT, platformScope } from '../../../domain/platform-account.ts';
import {
  tieOf,
  type TradedLine,
  type TradeTie,
} from '../../../domain/reconciliation/exceptions/trade-tie.ts';
import type { Environment } from '../../../domain/scope.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import { openMoneyOf } from './judge-exception.ts';
import {
  factsOf,
  refuseIfEnded,
  twinsOf,
  type ActContent,
  type ExceptionDeps,
} from './propose-exception-act.ts';

/** A line that is no payment's has one version. */
const ONLY_VERSION = 1;

/** What a tie of a line does. */
export interface LineTie {
  /** As two operators approve it. */
  readonly content: ActContent;
  /** What the bank charged: negative or zero. The rest of the line is what the trade moved. */
  readonly books: Money;
}

/**
 * Proposes that a debit which no payment explains is what a cover trade sold, or a charge for it; null where a proposal about
 * it waits. Throws ApprovalRefused where it is not, or another line is.
 */
export async function proposeLineTie(
  deps: ExceptionDeps,
  row: ExceptionRow,
  reference: string,
  by: OperatorAct,
): Promise<string | null> {
  const { content } = await deps.db.system(async (tx) =>
    tieLine(tx, row, await findTrade(tx, row.environment, reference)),
  );
  const twins = await twinsOf(deps, row, { act: 'TIE_TRADE' }, null);
  const about = { subjectId: row.id, subjectVersion: ONLY_VERSION };
  return proposeApproval(
    deps,
    platformScope(row.environment),
    { action: 'EXCEPTION_ACT', ...about, content: { ...content, ...twins } },
    by,
  );
}

/** The tie of a line to the trade whose reference it bears; null where it bears none, or cannot be tied to that. */
export async function readTieOfLine(
  tx: SystemTransaction,
  row: ExceptionRow,
): Promise<LineTie | null> {
  const [statementId = '', line = ''] = row.id.split('/');
  const trade = await findTradeOnLine(tx, {
    statementId: BigInt(statementId),
    line: Number(line),
  });
  if (trade === null) return null;
  try {
    return await tieLine(tx, row, trade);
  } catch (error) {
    if (error instanceof ApprovalRefused) return null;
    throw error;
  }
}

async function tieLine(
  tx: SystemTransaction,
  row: ExceptionRow,
  trade: CoverTradeRow,
): Promise<LineTie> {
  refuseIfEnded(row);
  const open = openMoneyOf(row, null);
  const isDebit = row.exception === 'UNEXPECTED_AT_BANK' && row.direction === 'DBIT';
  if (!isDebit || row.paymentId !== null || open === null) {
    throw new ApprovalRefused('Only a debit that no payment explains is tied to a cover trade.');
  }
  if (await isMarkedReturn(tx, row.id)) {
    throw new ApprovalRefused('The bank marks the line as a return, which no trade is.');
  }
  const { currency } = open;
  const tie = await tieToTrade(tx, trade, { currency, minor: -open.minor, direction: 'DBIT' });
  const facts = factsOf(row, { customerId: PLATFORM_ACCOUNT }, null);
  return {
    content: { ...tie.content, ...facts },
    books: { currency, minor: -tie.charged },
  };
}

/** A recorded trade of the environment. Throws ApprovalRefused where there is none. */
export async function findTrade(
  tx: SystemTransaction,
  environment: Environment,
  reference: string,
): Promise<CoverTradeRow> {
  const found = await findCoverTrades(tx, reference);
  const trade = found.find((one) => one.environment === environment);
  if (trade !== undefined) return trade;
  throw new ApprovalRefused(
    found.length === 0
      ? `There is no cover trade ${reference}. Record it first.`
      : `Cover trade ${reference} is of the other environment.`,
  );
}

/**
 * How a line shows a trade, as the content of an act says it. Throws ApprovalRefused where it shows no part of it, or another
 * line is tied to that part.
 */
export async function tieToTrade(
  tx: SystemTransaction,
  trade: CoverTradeRow,
  line: TradedLine,
): Promise<TradeTie & { readonly content: ActContent }> {
  const tie = tieOf(trade, line);
  if (typeof tie === 'string') throw new ApprovalRefused(tie);
  const undoing = await findUndoingTrade(tx, trade.id);
  if (undoing !== null) {
    throw new ApprovalRefused(`Trade ${undoing} has undone trade ${trade.reference}.`);
  }
  const ties = await listTradeTies(tx, trade.id, tie.side);
  const standing = ties.find(({ isReversed }) => !isReversed);
  if (standing !== undefined) {
    const { act, exceptionId } = standing;
    throw new ApprovalRefused(
      `Act ${act} has tied ${exceptionId} to this part (${tie.side}) of trade ${trade.reference}.`,
    );
  }
  const { side, at, charged } = tie;
  const content: ActContent = {
    ...{ act: 'TIE_TRADE', trade: trade.reference, tradeId: trade.id, side },
    tradeRound: ties.length + 1,
    ...(charged === 0n
      ? {}
      : {
          ...{ currency: line.currency, open: (-charged).toString(), at, part: '0' },
          account: 'BANK_CHARGES',
        }),
  };
  return { ...tie, content };
}
