import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUMPS_MAX, firstFees, raisedFees } from '../../../src/domain/onchain/transaction-fees.ts';
import {
  nextChainStep,
  STUCK_BLOCKS,
  STUCK_MS,
  type CarryingNonce,
  type ChainMoment,
  type NonceFinding,
  type StoredTransaction,
} from '../../../src/domain/onchain/next-chain-step.ts';

const NOW = new Date('2026-09-29T12:00:00.000Z');

const fees = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n))
  .map(([maxFeePerGas, tip]) => ({
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
  }));

const transaction = fc.record({
  fees,
  isSigned: fc.boolean(),
  ageMs: fc.integer({ min: 0, max: 120_000 }),
  ageBlocks: fc.bigInt(0n, 20n),
});

/** Transfers or sweeps first, then voids; all but the last are signed. */
const carrying = fc
  .record({
    transfers: fc.array(transaction, { minLength: 1, maxLength: 9 }),
    voids: fc.array(transaction, { maxLength: 9 }),
    state: fc.constantFrom('OPEN', 'SETTLED'),
    carried: fc.constantFrom('TRANSFER', 'SWEEP', 'TOP_UP'),
  })
  .map(({ transfers, voids, state, carried }): CarryingNonce => {
    const made = [...transfers, ...voids];
    return {
      nonce: 7n,
      state,
      voidWhy: voids.length > 0 ? 'VOIDED' : null,
      transactions: made.map((one, number): StoredTransaction => {
        const isSigned = one.isSigned || number < made.length - 1;
        return {
          ...one.fees,
          number,
          kind: number < transfers.length ? carried : 'VOID',
          hash: isSigned ? `0x${String(number).padStart(64, '0')}` : null,
          signedAt: isSigned ? new Date(NOW.getTime() - one.ageMs) : null,
          signedAtBlock: isSigned ? 1_000n - one.ageBlocks : null,
        };
      }),
    };
  });

const moment = fc.record({
  now: fc.constant(NOW),
  head: fc.constant(1_000n),
  suggested: fees,
  gasCaps: fees,
  sweepCaps: fc.option(fees),
  isLowest: fc.boolean(),
  isLowestRaised: fc.boolean(),
}) satisfies fc.Arbitrary<ChainMoment>;

const UNUSED: NonceFinding = { kind: 'UNUSED' };

describe('what is done next about a nonce', () => {
  it('raises both fees by an eighth at the least, and neither over its cap', () => {
    fc.assert(
      fc.property(fees, fees, fees, (before, suggested, caps) => {
        const first = firstFees(suggested, caps);
        expect(first?.maxFeePerGas ?? 0n).toBeLessThanOrEqual(caps.maxFeePerGas);
        expect(first?.maxPriorityFeePerGas ?? 0n).toBeLessThanOrEqual(caps.maxPriorityFeePerGas);
        const next = raisedFees(before, suggested, caps);
        if (next === null) return;
        expect(next.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n);
        expect(next.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(
          before.maxPriorityFeePerGas * 9n,
        );
        expect(next.maxFeePerGas).toBeLessThanOrEqual(caps.maxFeePerGas);
        expect(next.maxPriorityFeePerGas).toBeLessThanOrEqual(caps.maxPriorityFeePerGas);
        expect(next.maxPriorityFeePerGas).toBeLessThanOrEqual(next.maxFeePerGas);
      }),
    );
  });

  it('raises only the lowest and what is behind one that is raised, only what is stuck, more than eight times only where it is outbid, and a void never back', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const step = nextChainStep(given, UNUSED, now);
        if (step.kind !== 'BUMP') return;
        const newest = given.transactions.at(-1)!;
        const same = given.transactions.filter(({ kind }) => kind === newest.kind);
        expect(now.isLowest || now.isLowestRaised).toBe(true);
        const isOutbid = now.suggested.maxFeePerGas * 8n >= newest.maxFeePerGas * 9n;
        expect(same.length - 1 < BUMPS_MAX || isOutbid).toBe(true);
        expect(step.number).toBeLessThanOrEqual(newest.kind === 'VOID' ? 20 : 11);
        expect(now.head - newest.signedAtBlock!).toBeGreaterThanOrEqual(STUCK_BLOCKS);
        expect(NOW.getTime() - newest.signedAt!.getTime()).toBeGreaterThanOrEqual(STUCK_MS);
        expect(given.voidWhy === null || newest.kind === 'VOID').toBe(true);
        expect(step.number).toBe(newest.number + 1);
      }),
    );
  });

  it('holds or gives up none but the lowest', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const { kind } = nextChainStep(given, UNUSED, { ...now, isLowest: false });
        const isTopUp = given.transactions.at(-1)!.kind === 'TOP_UP';
        expect(kind).not.toBe('HOLD');
        if (!isTopUp) expect(kind).not.toBe('GIVE_UP');
      }),
    );
  });

  it('uses up what is to be voided whatever it offered, within the caps', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const transactions = given.transactions.filter(({ kind }) => kind !== 'VOID');
        const voided = { ...given, state: 'OPEN', voidWhy: 'VOIDED', transactions } as const;
        const step = nextChainStep(voided, UNUSED, now);
        expect(step).toMatchObject({ kind: 'VOID', number: transactions.length });
        if (step.kind !== 'VOID') return;
        const { maxFeePerGas, maxPriorityFeePerGas } = step.fees;
        expect(maxFeePerGas).toBeGreaterThan(0n);
        expect(maxFeePerGas).toBeLessThanOrEqual(now.gasCaps.maxFeePerGas);
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(now.gasCaps.maxPriorityFeePerGas);
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(maxFeePerGas);
        const least = raisedFees(transactions.at(-1)!, now.suggested, now.gasCaps);
        if (least !== null) expect(step.fees).toEqual(least);
      }),
    );
  });

  it('gives up what an earlier release was to give to another signer account: it signs and raises none', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const isOpen = given.state === 'OPEN' && given.voidWhy === null;
        if (!isOpen || given.transactions.at(-1)!.kind !== 'TOP_UP') return;
        expect(nextChainStep(given, UNUSED, now)).toEqual({ kind: 'GIVE_UP' });
      }),
    );
  });

  it('gives up a sweep that may offer no more, and never raises one over what sweeps may', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const newest = given.transactions.at(-1)!;
        const step = nextChainStep(given, UNUSED, now);
        if (step.kind === 'GIVE_UP' && newest.kind !== 'TOP_UP') {
          expect([newest.kind, now.isLowest]).toEqual(['SWEEP', true]);
        }
        if (newest.kind !== 'SWEEP' || given.voidWhy !== null) return;
        expect(step.kind).not.toBe('HOLD');
        if (step.kind !== 'BUMP') return;
        const caps = now.sweepCaps!;
        expect(step.fees.maxFeePerGas).toBeLessThanOrEqual(caps.maxFeePerGas);
        expect(step.fees.maxPriorityFeePerGas).toBeLessThanOrEqual(caps.maxPriorityFeePerGas);
      }),
    );
  });

  it('ends only by a block: a nonce that is in none is neither settled nor rejected', () => {
    fc.assert(
      fc.property(carrying, moment, (given, now) => {
        const { kind } = nextChainStep(given, UNUSED, now);
        expect(['SETTLED', 'FINAL', 'REJECTED']).not.toContain(kind);
        expect(kind === 'REORGANISED').toBe(given.state === 'SETTLED');
      }),
    );
  });

  it('gives funds back only for what is final, and settles only what is deep enough', () => {
    const depth = fc.constantFrom('YOUNG', 'CREDIT', 'FINAL');
    fc.assert(
      fc.property(carrying, moment, depth, fc.boolean(), fc.nat(), (given, now, deep, ok, at) => {
        const number = at % given.transactions.length;
        const finding = { kind: 'MINED', number, isSuccess: ok, depth: deep } as const;
        const { kind } = nextChainStep(given, finding, now);
        const isPaid = ok && given.transactions[number]!.kind !== 'VOID';
        if (kind === 'REJECTED')
          expect([deep, isPaid, given.state]).toEqual(['FINAL', false, 'OPEN']);
        if (kind === 'SETTLED') expect([deep === 'YOUNG', isPaid]).toEqual([false, true]);
        if (kind === 'FINAL') expect([deep, isPaid]).toEqual(['FINAL', true]);
        expect(['SIGN', 'BUMP', 'VOID', 'BROADCAST', 'HOLD']).not.toContain(kind);
      }),
    );
  });
});
