import { ApprovalRefused } from '../approvals/decide-approval.ts';
import { proposeApproval, type OperatorAct } from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../db/approval-store.ts';
import { recordAudit } from '../db/audit-store.ts';
import { isCoverTradeKnown } from '../db/cover-trade-store.ts';
import type { CoverTrade, TradedMoney } from '../domain/fx/cover-trade.ts';
import { houseScope } from '../domain/house.ts';
import { formatAmount } from '../domain/money/amount.ts';
import type { Environment } from '../domain/scope.ts';
import { recordCoverTrade } from '../ledger/record-cover-trade.ts';
import { PlainError } from '../runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';

/** A trade is recorded once and stays as it is. */
const TRADE_VERSION = 1;

/** Proposes to record a trade; nothing changes until a second operator approves. */
export async function proposeCoverTrade(
  deps: OpsDeps,
  environment: Environment,
  trade: CoverTrade,
  act: OperatorAct,
): Promise<number> {
  const house = houseScope(environment);
  const isKnown = await deps.db.read(house, (tx) => isCoverTradeKnown(tx, house, trade.reference));
  if (isKnown) throw new PlainError(`The trade ${trade.reference} is recorded already.`);
  const proposal = {
    ...({ action: 'FX_COVER', subjectVersion: TRADE_VERSION } as const),
    subjectId: `${environment}:${trade.reference}`,
    content: {
      ...{ sold: amountText(trade.sold), bought: amountText(trade.bought) },
      ...{ reference: trade.reference },
      ...{ soldCurrency: trade.sold.currency, soldMinor: trade.sold.minor.toString() },
      ...{ soldRail: trade.sold.rail, boughtRail: trade.bought.rail },
      ...{ boughtCurrency: trade.bought.currency, boughtMinor: trade.bought.minor.toString() },
    },
  };
  const id = await proposeApproval(deps, house, proposal, act);
  if (id === null) {
    throw new PlainError(
      `The trade ${trade.reference} is proposed already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(
    `Proposed: ${id}. Another operator approves it: npm run ops -- approvals approve ${id} --reason ... --operator ...`,
  );
  return 0;
}

const amountText = ({ minor, currency, rail }: TradedMoney): string =>
  `${formatAmount(minor, currency)} ${currency} ${rail}`;

/** What an approved trade does. */
export async function applyCoverTrade(deps: OpsDeps, approval: ApprovalRow): Promise<string> {
  const { environment } = approval;
  const house = houseScope(environment);
  const trade = readTrade(approval);
  const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
  const { reason, proposedBy } = approval;
  const id = await deps.db.write(house, async (tx) => {
    const at = deps.clock.now();
    await useApproval(tx, house, approval, TRADE_VERSION, at);
    const recorded = await recordCoverTrade(tx, house, trade, at);
    if (recorded === null) {
      throw new ApprovalRefused(`The trade ${trade.reference} was recorded before.`);
    }
    await recordAudit(tx, {
      ...{ at, actor, action: 'fx.cover', scope: house, subject: recorded },
      details: { reference: trade.reference, approval: approval.id, proposedBy, reason },
    });
    return recorded;
  });
  return `Recorded: ${id} (${trade.reference}), ${amountText(trade.sold)} for ${amountText(trade.bought)}.`;
}

function readTrade({ content }: ApprovalRow): CoverTrade {
  const text = (name: string): string => {
    const value = content[name];
    if (typeof value === 'string') return value;
    throw new Error(`a proposal of a cover trade says its ${name}`);
  };
  const side = (name: 'sold' | 'bought'): TradedMoney => ({
    currency: text(`${name}Currency`),
    minor: BigInt(text(`${name}Minor`)),
    rail: text(`${name}Rail`),
  });
  return { reference: text('reference'), sold: side('sold'), bought: side('bought') };
}
