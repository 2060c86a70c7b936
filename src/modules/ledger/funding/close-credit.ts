import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import { sayMoved } from '../../approvals/say-moved.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { takeUnmatchedCredit } from '../../../db/ledger/funding-credit-store.ts';
import type { IncomingCreditRow } from '../../../db/ledger/incoming-credit-store.ts';
import { insertLedgerTransactions } from '../../../db/ledger/ledger-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { closingLines } from '../../../domain/ledger/credit-movements.ts';
import { creditFacts, UNMATCHED_VERSION } from './assign-credit.ts';
import type { PostDeps } from './post-credits.ts';

/**
 * Proposes that an unmatched credit is the same booking as the one that it resembles, and never came; null where a
 * proposal waits.
 */
export function proposeDismissal(
  deps: PostDeps,
  credit: IncomingCreditRow & { readonly resemblesCreditId: string },
  act: OperatorAct,
): Promise<string | null> {
  const scope = { customerId: PLATFORM_ACCOUNT, environment: credit.environment };
  const { statementId, line, resemblesCreditId: resembles } = credit;
  const content = { resembles, statementId: String(statementId), line, ...creditFacts(credit) };
  const about = { subjectId: credit.id, subjectVersion: UNMATCHED_VERSION, content };
  return proposeApproval(deps, scope, { action: 'CREDIT_CLOSING', ...about }, act);
}

/** The line of a statement by which the money left the bank again. */
interface ClosingLine {
  readonly statementId: bigint;
  readonly line: number;
}

/** Proposes that an unmatched credit has left the bank again; null where a proposal waits. */
export function proposeClosing(
  deps: PostDeps,
  credit: IncomingCreditRow,
  { statementId, line }: ClosingLine,
  act: OperatorAct,
): Promise<string | null> {
  const scope = { customerId: PLATFORM_ACCOUNT, environment: credit.environment };
  const content = { statementId: String(statementId), line, ...creditFacts(credit) };
  const about = { subjectId: credit.id, subjectVersion: UNMATCHED_VERSION, content };
  return proposeApproval(deps, scope, { action: 'CREDIT_CLOSING', ...about }, act);
}

/**
 * Does what two operators approved: the money leaves suspense as it left the bank, or because it never came. Throws ApprovalRefused
 * where the credit was decided meanwhile, or the line is no debit of its amount, or from before it, or something else
 * explains it, as another credit that this debit closed or took back, shown by this line or by another one.
 */
export async function closeCredit({ db, clock }: PostDeps, approval: ApprovalRow): Promise<void> {
  const { environment, subjectId, reason, proposedBy, content } = approval;
  const scope = { customerId: PLATFORM_ACCOUNT, environment };
  await db.write(scope, async (tx) => {
    const at = clock.now();
    await useApproval(tx, scope, approval, UNMATCHED_VERSION, at);
    const where = {
      statementId: BigInt(String(content['statementId'])),
      line: Number(content['line']),
    };
    const closing = { outcome: 'CLOSED', ...where } as const;
    const taken = await takeUnmatchedCredit(tx, subjectId, closing, at).catch(sayEnded);
    if (taken === null) throw new ApprovalRefused(NOT_CLOSED);
    const { currency, minor, connector } = taken;
    const transaction = {
      ...{ id: newId(ID_PREFIXES.ledgerTransaction), paymentId: null },
      ...{ kind: 'CLOSE' as const, lines: closingLines(connector, { currency, minor }) },
    };
    await insertLedgerTransactions(tx, scope, [transaction], at);
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
      action: 'credit.close',
      scope,
      subject: `incoming_credits/${subjectId}`,
      details: { approval: approval.id, proposedBy, reason, ...content },
    });
  });
}

const NOT_CLOSED =
  'The credit cannot be closed with this line. The credit is already decided, or the line is not an unexpected debit of the same amount and bank, is older than the credit, or belongs to another credit.';

/** An act of operators has ended the line that would close it. */
function sayEnded(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint === 'a_line_explains_one_thing') throw new ApprovalRefused(NOT_CLOSED);
  return sayMoved(error);
}
