import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { CoverTrade, TradedMoney } from '../../domain/payments/fx/cover-trade.ts';
import { COVER_TRADE_VERSION, tradedText } from '../../domain/payments/fx/cover-trade.ts';
import { platformScope } from '../../domain/platform-account.ts';
import { recordCoverTrade } from '../ledger/record-cover-trade.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved trade does. */
export const applyCoverTrade: ApplyApproval = async (deps, approval) => {
  const { environment } = approval;
  const platform = platformScope(environment);
  const trade = readTrade(approval);
  const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
  const { reason, proposedBy } = approval;
  const id = await deps.db.write(platform, async (tx) => {
    const at = deps.clock.now();
    await useApproval(tx, platform, approval, COVER_TRADE_VERSION, at);
    const recorded = await recordCoverTrade(tx, platform, trade, at);
    if (recorded === null) {
      throw new ApprovalRefused(`Trade ${trade.reference} is already recorded.`);
    }
    await recordAudit(tx, {
      ...{ at, actor, action: 'fx.cover', scope: platform, subject: recorded },
      details: { reference: trade.reference, approval: approval.id, proposedBy, reason },
    });
    return recorded;
  });
  return `Recorded: ${id} (${trade.reference}), ${tradedText(trade.sold)} for ${tradedText(trade.bought)}.`;
};

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
