import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import {
  ACTIVE_ACCOUNT_IS_ONE,
  activateBankAccount,
  lockBankAccount,
  type BankAccountRow,
} from '../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { isUniqueViolation } from '../../../db/client/unique-violation.ts';
import type { ApprovalContent } from '../../../domain/approvals/approval.ts';
import type { Scope } from '../../../domain/scope.ts';
import { bankAccountEvent } from './bank-account-view.ts';

/** What a first operator proposes. The fingerprint says which account it is, and nothing of it. */
export const ownAccountContent = (account: BankAccountRow): ApprovalContent => ({
  action: 'OWN_ACCOUNT',
  subjectId: account.id,
  subjectVersion: account.version,
  content: {
    ...{ endUserId: account.endUserId, fingerprint: account.fingerprint },
    ...{ country: account.country, currency: account.currency, rail: account.rail },
  },
});

/**
 * Makes a customer's own account ACTIVE, as two operators agreed. Throws ApprovalRefused where it was
 * disabled or approved before, or the customer has the same one, ACTIVE.
 */
export async function activateOwnAccount(
  tx: ScopedTransaction,
  scope: Scope,
  approval: ApprovalRow,
  at: Date,
): Promise<BankAccountRow> {
  const account = await lockBankAccount(tx, scope, approval.subjectId);
  if (account?.status !== 'PENDING') {
    throw new ApprovalRefused(
      `The account ${approval.subjectId} cannot be activated. Its status is ${account?.status ?? 'gone'}.`,
    );
  }
  await useApproval(tx, scope, approval, account.version, at);
  const active = await activateBankAccount(tx, scope, account, at).catch(sayIfKnown);
  await recordEvent(tx, scope, bankAccountEvent('bank_account.activated', active), at);
  await recordAudit(tx, {
    at,
    actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
    action: 'own_account.activate',
    scope,
    subject: account.id,
    details: { ...approval.content, approvalId: approval.id, proposedBy: approval.proposedBy },
  });
  return active;
}

function sayIfKnown(error: unknown): never {
  if (isUniqueViolation(error, ACTIVE_ACCOUNT_IS_ONE)) {
    throw new ApprovalRefused('The customer already has this account, and it is ACTIVE.');
  }
  throw error;
}
