import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import type { KycReason } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { CheckStatus, KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { kycCheckRow } from './kyc-link.ts';

/** A KYC record as events show it: without its link, which is a secret. */
interface KycFacts {
  readonly id: string;
  readonly endUserId: string;
  readonly status: KycStatus;
  readonly reasons: KycReason[];
  readonly expiresAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A KYC record as the API shows it. */
interface KycView extends KycFacts {
  /** Null where the end-user was erased. */
  readonly link: { readonly url: string; readonly expiresAt: string } | null;
}

export function viewKycCheck(
  row: KycCheckRow,
  deps: { readonly vault: Vault; readonly publicUrl: string },
): KycView {
  if (isErased(row)) return { ...facts(row), link: null };
  const token = deps.vault.of(row).open(row.linkToken, kycCheckRow(row.id)).toString();
  return {
    ...facts(row),
    link: { url: `${deps.publicUrl}/kyc/${token}`, expiresAt: row.linkExpiresAt.toISOString() },
  };
}

/** The event of a check's present version: `kyc.<state>` for a move, else `kyc.updated`. */
export function kycEvent(row: KycCheckRow, previous: KycCheckRow | null): EventDraft {
  const isMove = previous?.status !== row.status;
  return {
    type: isMove ? `kyc.${row.status.toLowerCase() as Lowercase<CheckStatus>}` : 'kyc.updated',
    resourceType: 'kyc',
    resourceId: row.id,
    resourceVersion: row.version,
    data: { ...facts(row) },
    ...(previous && { previous: { status: previous.status } }),
  };
}

function facts(row: KycCheckRow): KycFacts {
  return {
    id: row.id,
    endUserId: row.endUserId,
    status: row.status,
    reasons: row.reasons,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
