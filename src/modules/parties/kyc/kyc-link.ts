import { randomBytes } from 'node:crypto';
import type { KycCheckRow, SealedLink } from '../../../db/parties/kyc-check-store.ts';
import type { KeyOwner } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';

const TOKEN_BYTES = 32;
/** What tokens are hashed for. */
const PURPOSE = 'kyc_link';
const LINK_LIFE_MS = 24 * 60 * 60 * 1000;

/** What a hosted link's token looks like: base64url of 32 bytes. */
export const LINK_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The row that a check's link token and provider page are sealed for. */
export const kycCheckRow = (id: string): string => `kyc_checks/${id}`;

/** A fresh link for a check. It opens for 24 hours. */
export function newKycLink(
  vault: Vault,
  check: KeyOwner & { readonly id: string },
  at: Date,
): SealedLink {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return {
    tokenHmac: vault.keyedHash(PURPOSE, token),
    token: vault.of(check).seal(Buffer.from(token), kycCheckRow(check.id)),
    expiresAt: new Date(at.getTime() + LINK_LIFE_MS),
  };
}

/**
 * Whether a check needs a new link: the old one has run out, or was given before the end-user was asked
 * for documents once more.
 */
export function isLinkSpent(check: KycCheckRow, at: Date): boolean {
  const madeAt = check.linkExpiresAt.getTime() - LINK_LIFE_MS;
  const isAskedAgain =
    check.status === 'RESUBMISSION_REQUIRED' && madeAt < check.updatedAt.getTime();
  return isAskedAgain || check.linkExpiresAt <= at;
}

/** Under which a link of that token may be stored. */
export const hashesOfLink = (vault: Vault, token: string): readonly Buffer[] =>
  vault.keyedHashes(PURPOSE, token);
