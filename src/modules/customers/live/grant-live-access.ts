import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import { grantLiveAccess as grant } from '../../../db/customers/live-access-store.ts';
import {
  findLastLiveRequest,
  type LiveRequestRow,
} from '../../../db/customers/live-request-store.ts';
import { liveScope } from './company.ts';
import { mailLiveDecision, type LiveMailDeps } from './mail-live-decision.ts';

/** Of a request that waits; null where a proposal about it waits already. */
export function proposeLiveAccess(
  deps: ApprovalDeps,
  request: LiveRequestRow,
  act: OperatorAct,
): Promise<string | null> {
  const { id, companyId, companyVersion, kycCheckId, termsVersion } = request;
  const content = { companyId, companyVersion, kycCheckId, termsVersion };
  const proposal = { subjectId: id, subjectVersion: companyVersion, content };
  return proposeApproval(
    deps,
    liveScope(request.customerId),
    { action: 'LIVE_ACCESS', ...proposal },
    act,
  );
}

/** What the database refuses it for, in words for the operator. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  a_company_is_screened_first:
    'The company’s names are not screened yet. Screening runs by itself. Try again when it is done.',
  what_was_asked_still_holds:
    'The company’s data, its KYC check, or the terms have changed since the request, or no owner is verified. The customer must submit a new request.',
};

/**
 * Gives a customer live access, as two operators agreed, and mails its owners. Throws ApprovalRefused where the
 * request was decided before, or what it was about has changed.
 */
export async function grantLiveAccess(
  deps: LiveMailDeps & { readonly db: Database },
  approval: ApprovalRow,
): Promise<void> {
  const { customerId, subjectId, decidedBy, proposedBy, reason } = approval;
  const scope = liveScope(customerId);
  const mailIds = await deps.db.write(scope, async (tx) => {
    const at = deps.clock.now();
    const request = await findLastLiveRequest(tx, scope);
    if (request?.id !== subjectId || request.decision !== null) {
      throw new ApprovalRefused(
        'The request was already decided, or the customer submitted a new one.',
      );
    }
    await useApproval(tx, scope, approval, request.companyVersion, at);
    const isGranted = await grant(tx, subjectId, decidedBy ?? '', at).catch(sayIfChanged);
    if (!isGranted) throw new ApprovalRefused('The request was already decided.');
    await recordAudit(tx, {
      ...{ at, actor: { kind: 'OPERATOR', name: decidedBy ?? '' }, action: 'live_access.grant' },
      ...{ scope, subject: subjectId, details: { approval: approval.id, proposedBy, reason } },
    });
    return mailLiveDecision(deps, tx, customerId, 'APPROVED');
  });
  mailIds.forEach(deps.dispatchMail);
}

function sayIfChanged(error: unknown): never {
  const text =
    error instanceof Error && 'constraint' in error
      ? REFUSED_BY[String(error.constraint)]
      : undefined;
  throw text === undefined ? error : new ApprovalRefused(text);
}
