import type { SystemTransaction } from '../../../db/client/database.ts';
import type { IncomingCreditRow } from '../../../db/ledger/incoming-credit-store.ts';
import { countReversals } from '../../../db/reconciliation/exception-act-store.ts';
import {
  findMovedCredit,
  hasReturningLine,
  listLikelyTwins,
} from '../../../db/reconciliation/booking-twin-store.ts';
import { nostroOf } from '../../../domain/ledger/credit-movements.ts';
import { PLATFORM_ACCOUNT, platformScope } from '../../../domain/platform-account.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import type { ActContent, ExceptionDeps } from './propose-exception-act.ts';
import { findTrade, tieToTrade } from './tie-line.ts';

/** An unmatched credit is decided from its only version. */
const ONLY_VERSION = 1;

/** A credit, and the bank's id of the statement that shows it. */
type ShownCredit = IncomingCreditRow & { readonly bankStatementId: string };

interface WantedTie {
  /** Of the cover trade. */
  readonly reference: string;
  /** The operators say that it and the credit that it may be the same booking as both came. */
  readonly bothCame: boolean;
}

/**
 * Proposes that an unmatched credit is what a cover trade bought: it leaves suspense, and no customer is credited. Null where
 * a proposal about it waits. Throws ApprovalRefused where it is not, or another line is.
 */
export async function proposeCreditTie(
  deps: ExceptionDeps,
  credit: ShownCredit,
  { reference, bothCame }: WantedTie,
  by: OperatorAct,
): Promise<string | null> {
  const tied = await deps.db.system((tx) => tieCredit(tx, credit, reference));
  const content = bothCame ? { ...tied, bothCame: 'yes' } : tied;
  const about = { subjectId: credit.id, subjectVersion: ONLY_VERSION, content };
  const platform = platformScope(credit.environment);
  return proposeApproval(deps, platform, { action: 'EXCEPTION_ACT', ...about }, by);
}

async function tieCredit(tx: SystemTransaction, credit: ShownCredit, reference: string) {
  const { id, environment, currency, minor, connector, statementId, line } = credit;
  if (credit.outcome !== null || minor === null) {
    throw new ApprovalRefused('The credit is decided, or has no amount that the books can hold.');
  }
  if (await hasReturningLine(tx, id)) {
    throw new ApprovalRefused('The bank marks the credit as a return, or has taken it back.');
  }
  const trade = await findTrade(tx, environment, reference);
  const tie = await tieToTrade(tx, trade, { currency, minor, direction: 'CRDT' });
  const moved = await findMovedCredit(tx, id);
  if (moved !== null) throw new ApprovalRefused(moved);
  const twins = await listLikelyTwins(tx, `${String(statementId)}/${String(line)}`);
  const content: ActContent = {
    ...tie.content,
    ...{ freed: minor.toString(), freedCurrency: currency, freedTo: nostroOf(connector) },
    ...{ exception: 'UNMATCHED_CREDIT', round: 1 + (await countReversals(tx, id)) },
    ...{ customerId: PLATFORM_ACCOUNT, statement: credit.bankStatementId, line },
    ...{ direction: 'CRDT', amount: credit.amount },
    ...(credit.bankReference === null ? {} : { bankReference: credit.bankReference }),
  };
  return twins.length === 0 ? content : { ...content, twins };
}
