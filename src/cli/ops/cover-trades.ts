import { proposeApproval, type OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { isCoverTradeKnown } from '../../db/ledger/cover-trade-store.ts';
import {
  COVER_TRADE_VERSION,
  tradedText,
  type CoverTrade,
} from '../../domain/payments/fx/cover-trade.ts';
import { platformScope } from '../../domain/platform-account.ts';
import type { Environment } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';

/** Proposes to record a trade; nothing changes until two operators then approve it in the console. */
export async function proposeCoverTrade(
  deps: OpsDeps,
  environment: Environment,
  trade: CoverTrade,
  act: OperatorAct,
): Promise<number> {
  const platform = platformScope(environment);
  const isKnown = await deps.db.read(platform, (tx) =>
    isCoverTradeKnown(tx, platform, trade.reference),
  );
  if (isKnown) throw new PlainError(`The trade ${trade.reference} is recorded already.`);
  const proposal = {
    ...({ action: 'FX_COVER', subjectVersion: COVER_TRADE_VERSION } as const),
    subjectId: `${environment}:${trade.reference}`,
    content: {
      ...{ sold: tradedText(trade.sold), bought: tradedText(trade.bought) },
      ...{ reference: trade.reference },
      ...{ soldCurrency: trade.sold.currency, soldMinor: trade.sold.minor.toString() },
      ...{ soldRail: trade.sold.rail, boughtRail: trade.bought.rail },
      ...{ boughtCurrency: trade.bought.currency, boughtMinor: trade.bought.minor.toString() },
    },
  };
  const id = await proposeApproval(deps, platform, proposal, act);
  if (id === null) {
    throw new PlainError(
      `The trade ${trade.reference} is proposed already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(handedIn(id));
  return 0;
}
