import type { AddressVerdict, LookUpReason } from './address-screening.ts';
import type { ScreeningVerdict } from './screening-verdict.ts';

/** Milliseconds after which an address is looked up again before money leaves. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** An address that was looked up no later than this must be looked up again before money leaves. */
export const walletsScreenedSince = (now: Date): Date => new Date(now.getTime() - FRESH_MS);

/** How the review of what was found at a wallet's address stands. */
export type ReviewState = 'OPEN' | 'RELEASED' | 'REFUSED' | 'SUPERSEDED' | 'EXPIRED';

/** What a look-up found that did not clear an address. */
export interface AddressHit {
  readonly verdict: Exclude<AddressVerdict, 'CLEAR'>;
  readonly listVersion: string;
  /** What of the list it was; null where the provider names nothing. */
  readonly match: string | null;
}

/**
 * Whether what was decided about one find is good for another one: the same match, whatever else the list has by
 * then, or the same version of a list that names no matches.
 */
export const isSameHit = (one: AddressHit, other: AddressHit): boolean =>
  one.verdict === other.verdict &&
  one.match === other.match &&
  (one.match !== null || one.listVersion === other.listVersion);

/** A review that no one decided in this time ends: the wallet is rejected. Milliseconds. */
export const WALLET_REVIEW_MAX_MS = 30 * 24 * 60 * 60 * 1000;

/** A wallet's last look-up. */
export interface WalletScreening {
  readonly screeningResult: AddressVerdict | null;
  readonly screenedAt: Date | null;
  /** What was found at the registration clears no payment. */
  readonly screenedFor: LookUpReason | null;
  /** Of what was found; null where it was clear, and where no one was asked about it. */
  readonly review: ReviewState | null;
}

/**
 * Whether money may leave for the wallet. UNSCREENED: its address has to be looked up first, for the last
 * look-up is a day old, or was made at the registration. What is blocked waits for operators, as a hit does; what
 * they released counts as clear, and what they refused, or did not decide in 30 days, is refused.
 * The rule that the guarded claim has in SQL (src/db/payments/ready-attempt-store.ts).
 */
export function judgeWalletScreening(
  { screeningResult, screenedAt, screenedFor, review }: WalletScreening,
  now: Date,
): ScreeningVerdict {
  if (screeningResult === null || screenedAt === null) return 'UNSCREENED';
  if (review === 'REFUSED' || review === 'EXPIRED') return 'REFUSED';
  if (screeningResult === 'BLOCKED') return 'HIT';
  // No operator can decide it without a review: it is looked up again.
  if (screeningResult === 'REVIEW' && review === null) return 'UNSCREENED';
  if (screeningResult === 'REVIEW' && review !== 'RELEASED') return 'HIT';
  const isFresh = screenedFor === 'RELEASE' && screenedAt > walletsScreenedSince(now);
  return isFresh ? 'CLEARED' : 'UNSCREENED';
}
