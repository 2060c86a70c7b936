import { describe, expect, it } from 'vitest';
import { kycRoute } from '../../../src/domain/parties/kyc/kyc-route.ts';
import {
  isLegalKycMove,
  KYC_MOVES,
  KYC_STATUSES,
} from '../../../src/domain/parties/kyc/kyc-states.ts';
import type { KycStatus } from '../../../src/domain/parties/kyc/kyc-states.ts';

function reachableFrom(from: KycStatus): Set<KycStatus> {
  const seen = new Set<KycStatus>([from]);
  for (const status of seen) {
    for (const [left, right] of KYC_MOVES) if (left === status) seen.add(right);
  }
  return seen;
}

// A check exists only once it is PENDING: NOT_STARTED is the state of having none.
const pairs = KYC_STATUSES.filter((status) => status !== 'NOT_STARTED').flatMap((from) =>
  KYC_STATUSES.map((to) => [from, to] as const),
);

describe('the route between two KYC states', () => {
  it.each(pairs)('%s -> %s is there exactly where legal moves lead', (from, to) => {
    const route = kycRoute(from, to);
    expect(route !== null).toBe(reachableFrom(from).has(to));
  });

  it.each(pairs)('%s -> %s takes legal moves only and ends where it should', (from, to) => {
    const route = kycRoute(from, to) ?? [];
    let at: KycStatus = from;
    for (const next of route) {
      expect(isLegalKycMove(at, next)).toBe(true);
      at = next;
    }
    expect(route.length === 0 || at === to).toBe(true);
  });

  it('passes through the approval that a revocation was of', () => {
    expect(kycRoute('PENDING', 'REVOKED')).toEqual(['IN_REVIEW', 'APPROVED', 'REVOKED']);
  });
});
