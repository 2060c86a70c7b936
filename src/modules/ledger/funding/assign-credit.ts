import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import { sayMoved } from '../../approvals/say-moved.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { takeUnmatchedCredit } from '../../../db/ledger/funding-credit-store.ts';
import type { IncomingCreditRow } from '../../../db/ledger/incoming-credit-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { assignmentLines } from '../../../domain/ledger/credit-movements.ts';
import type { PostDeps } from './post-credits.ts';
import { writeCredits } from './write-credits.ts';

/** An unmatched credit is decided once: until then it is at its first version. */
export const UNMATCHED_VERSION = 1;

/** What was decided meanwhile, or is in no book, cannot be taken. */
const DECIDED_BEFORE =
  'The credit is already decided, or it has no amount that the ledger can hold.';

/** What of a credit a proposal repeats: nothing of who paid. */
export function creditFacts({ minor, currency, amount }: IncomingCreditRow) {
  return { amount: minor === null ? amount : formatAmount(minor, currency), currency };
}

interface WantedAssignment {
  readonly customerId: string;
  /** The operators say that it is no return, although the bank marks it as one. */
  readonly isNoReturn: boolean;
  /** They say that it and the credit that it may be the same booking as both came. */
  readonly bothCame: boolean;
}

/** Proposes that an unmatched credit is a customer's; null where a proposal about it waits already. */
export function proposeAssignment(
  deps: PostDeps,
  credit: IncomingCreditRow,
  { customerId, isNoReturn, bothCame }: WantedAssignment,
  act: OperatorAct,
): Promise<string | null> {
  const scope = { customerId, environment: credit.environment };
  const stated: Readonly<Record<string, string>> = {
    ...(isNoReturn ? { notReturn: 'yes' } : {}),
    ...(bothCame ? { bothCame: 'yes' } : {}),
  };
  const content = { customerId, ...creditFacts(credit), ...stated };
  const about = { subjectId: credit.id, subjectVersion: UNMATCHED_VERSION, content };
  return proposeApproval(deps, scope, { action: 'CREDIT_ASSIGNMENT', ...about }, act);
}

/**
 * Does what two operators approved: the money leaves suspense for the customer's balance, with the event
 * of a credit. Throws ApprovalRefused where the credit was decided meanwhile.
 */
export async function assignCredit({ db, clock }: PostDeps, approval: ApprovalRow): Promise<void> {
  const { customerId, environment, subjectId: id, reason, proposedBy } = approval;
  const scope = { customerId, environment };
  await db.write(scope, async (tx) => {
    const at = clock.now();
    await useApproval(tx, scope, approval, UNMATCHED_VERSION, at);
    const taken = await takeUnmatchedCredit(tx, id, { outcome: 'ASSIGNED' }, at).catch(sayMoved);
    if (taken === null) throw new ApprovalRefused(DECIDED_BEFORE);
    const { currency, minor, bookedAt } = taken;
    const credit = {
      ...{ id, currency, amount: minor, reference: null, bookedAt, creditedAt: at },
      ledgerTransactionId: newId(ID_PREFIXES.ledgerTransaction),
    };
    const lines = assignmentLines({ currency, minor });
    await writeCredits(tx, scope, [{ credit, kind: 'ASSIGN', lines }], at);
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
      action: 'credit.assign',
      scope,
      subject: `incoming_credits/${id}`,
      details: { approval: approval.id, proposedBy, reason },
    });
  });
}
