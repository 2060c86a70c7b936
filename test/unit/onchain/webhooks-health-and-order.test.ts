import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeHealth } from '../../../src/domain/webhooks/endpoint-health.ts';
import { isSubscription, SUBSCRIPTIONS } from '../../../src/domain/webhooks/event-types.ts';
import { chainByVersion } from '../../../src/domain/webhooks/version-order.ts';

const START = new Date('2026-01-05T10:00:00Z');
const daysLater = (days: number) => new Date(START.getTime() + days * 86_400_000);
const HEALTHY = { isSlow: false, failingSince: null };
const attempt = (status: number, finishedAt = START, durationMs = 5) => ({
  result: { kind: 'ANSWERED' as const, status, durationMs },
  finishedAt,
});

describe("an endpoint's health", () => {
  it('is slow after a failure or more than two seconds, and quick again after one good answer', () => {
    expect(judgeHealth(HEALTHY, [attempt(500)]).health.isSlow).toBe(true);
    expect(judgeHealth(HEALTHY, [attempt(200, START, 2_001)]).health.isSlow).toBe(true);
    expect(judgeHealth(HEALTHY, [attempt(200, START, 2_000)]).health.isSlow).toBe(false);
    const failing = { isSlow: true, failingSince: START };
    expect(judgeHealth(failing, [attempt(200)]).health).toEqual(HEALTHY);
  });

  it('remembers the first failure since the last success', () => {
    const first = judgeHealth(HEALTHY, [attempt(500), attempt(500, daysLater(1))]);
    expect(first.health.failingSince).toEqual(START);
    const again = judgeHealth(first.health, [attempt(200), attempt(500, daysLater(2))]);
    expect(again.health.failingSince).toEqual(daysLater(2));
  });

  it('a 410 disables at once', () => {
    expect(judgeHealth(HEALTHY, [attempt(410), attempt(200)]).disable).toBe('RECEIVER_GONE');
  });

  it('four days of nothing but failures disable, a minute less does not', () => {
    const failing = { isSlow: true, failingSince: START };
    expect(judgeHealth(failing, [attempt(500, daysLater(3.99))]).disable).toBeNull();
    expect(judgeHealth(failing, [attempt(500, daysLater(4))]).disable).toBe('FAILING');
    const mended = [attempt(500, daysLater(4)), attempt(200, daysLater(4))];
    expect(judgeHealth(failing, mended).disable).toBeNull();
  });
});

describe('the order of deliveries', () => {
  const delivery = fc.record({
    resourceId: fc.constantFrom('a', 'b', 'c'),
    resourceVersion: fc.integer({ min: 1, max: 9 }),
    turn: fc.constantFrom('FIRST' as const, 'PUT_OFF' as const, 'REPEATED' as const),
  });

  it('puts the first deliveries of one resource, and those put off, into one chain by version and loses none', () => {
    fc.assert(
      fc.property(fc.array(delivery), (deliveries) => {
        const chains = chainByVersion(deliveries);
        expect(chains.flat()).toHaveLength(deliveries.length);
        const firstOnes = chains.filter((chain) => chain[0]?.turn !== 'REPEATED');
        expect(new Set(firstOnes.map((chain) => chain[0]?.resourceId)).size).toBe(firstOnes.length);
        for (const chain of chains) {
          const versions = chain.map((one) => one.resourceVersion);
          expect(versions).toEqual([...versions].sort((a, b) => a - b));
        }
      }),
    );
  });
});

describe('subscriptions', () => {
  it('name types, families and everything', () => {
    for (const text of ['*', 'payment.*', 'payment.final', 'kyc.in_review', 'ping']) {
      expect(isSubscription(text), text).toBe(true);
    }
    for (const text of ['', 'payment', 'payments.*', 'payment.**', 'PAYMENT.*', '*.*', 'ping.*']) {
      expect(isSubscription(text), text).toBe(false);
    }
    expect(new Set(SUBSCRIPTIONS).size).toBe(SUBSCRIPTIONS.length);
  });
});
