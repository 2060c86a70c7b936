import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockEndUser } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { insertKycCheck, updateKycLink } from '../../../db/parties/kyc-check-store.ts';
import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { canStartCheck, isDecided } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import { endUserOwner } from '../end-users/end-user-personal.ts';
import type { Vault } from '../../../vault/vault.ts';
import { followCheck, isOutdated } from './change-kyc.ts';
import { endApproval } from './expire-approval.ts';
import { isLinkSpent, newKycLink } from './kyc-link.ts';
import { kycEvent } from './kyc-view.ts';

export interface StartedKyc {
  readonly check: KycCheckRow;
  /** False where an earlier check of the same data is still open or has approved. */
  readonly isNew: boolean;
}

/**
 * Starts a round of KYC unless the newest check is open or approved, and about the data of today; an
 * open check whose link has run out, or was given before documents were asked for again, gets a new one. An approval whose end has
 * come is EXPIRED first, where the schedule is late. Refuses with not_found and end_user_not_active. The caller starts the check's workflow after the commit.
 */
export async function startKyc(
  deps: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  order: { readonly endUserId: string; readonly redirectUrl?: string },
): Promise<StartedKyc> {
  const at = deps.clock.now();
  const found = requireFound(await lockEndUser(tx, scope, order.endUserId));
  if (found.status !== 'ACTIVE') {
    throw new Refusal(
      'end_user_not_active',
      'The end-user is not ACTIVE: it is suspended or closed.',
    );
  }
  const { endUser, check: newest } = await endApproval(tx, scope, found, at);
  const isCurrent = newest !== null && !isOutdated({ endUser, check: newest });
  if (isCurrent && !canStartCheck(newest.status)) {
    const isGood = isDecided(newest.status) || !isLinkSpent(newest, at);
    return {
      check: isGood ? newest : await renewLink(deps.vault, tx, scope, newest, at),
      isNew: false,
    };
  }

  const id = newId(ID_PREFIXES.kycCheck);
  const check = await insertKycCheck(tx, scope, {
    id,
    endUserId: endUser.id,
    round: endUser.kycRound + 1,
    identityVersion: endUser.identityVersion,
    link: newKycLink(deps.vault, { ...endUserOwner(endUser), id }, at),
    redirectUrl: order.redirectUrl ?? null,
    at,
  });
  await recordEvent(tx, scope, kycEvent(check, null), at);
  await followCheck(tx, scope, endUser, check, at);
  return { check, isNew: true };
}

/** How a check is called in Temporal. */
export function kycCheckRef(scope: Scope, check: KycCheckRow) {
  return {
    customerId: scope.customerId,
    environment: scope.environment,
    endUserId: check.endUserId,
    kycCheckId: check.id,
    round: check.round,
  };
}

async function renewLink(
  vault: Vault,
  tx: ScopedTransaction,
  scope: Scope,
  check: KycCheckRow,
  at: Date,
): Promise<KycCheckRow> {
  const link = newKycLink(vault, check, at);
  const renewed = await updateKycLink(tx, scope, check, { ...link, at });
  await recordEvent(tx, scope, kycEvent(renewed, check), at);
  return renewed;
}
