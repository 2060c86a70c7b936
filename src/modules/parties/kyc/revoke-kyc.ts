import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { publicReasons } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import { changeKyc, lockKyc } from './change-kyc.ts';

const REVOKED = { status: 'REVOKED', reasons: publicReasons(['APPROVAL_WITHDRAWN']) } as const;

/**
 * An operator takes an approval back. Once it has committed no payment of the end-user leaves: it waits
 * for the claims under way. Answers the state that was found: where it is not APPROVED nothing was done.
 * Null: there is no such check.
 */
export async function revokeKyc(
  tx: ScopedTransaction,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
  act: { readonly operator: string; readonly reason: string },
  at: Date,
): Promise<KycStatus | null> {
  const kyc = await lockKyc(tx, scope, ref);
  if (kyc === null) return null;
  const { status } = kyc.check;
  // Only that: the way of any other state to REVOKED leads through an approval that there never was.
  if (status !== 'APPROVED') return status;
  await changeKyc(tx, scope, kyc, REVOKED, at);
  await recordAudit(tx, {
    at,
    actor: { kind: 'OPERATOR', name: act.operator },
    action: 'kyc.revoke',
    scope,
    subject: ref.kycCheckId,
    details: { endUserId: ref.endUserId, reason: act.reason },
  });
  return status;
}
