import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startKycSequences,
  type KycSequences,
} from '../../support/payments/kyc-sequences-harness.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const COUNT = sizeOf(200, 5_000);
const SEED = seedOf(1_000_001);

let sequences: KycSequences;
beforeAll(async () => {
  sequences = await startKycSequences();
});
afterAll(() => sequences.close());

describe(`${String(COUNT)} sequences of KYC moves, shuffled, repeated, late, contradictory and at once`, () => {
  it('end where the newest says, one event a version, and no payment leaves without approval', async () => {
    await sequences.playAll(COUNT, SEED);
    const { counts, wrong } = await sequences.witnessed();
    expect(wrong).toEqual([]);
    expect(counts?.claimed).toBeGreaterThan(COUNT / 10);
    expect(counts?.held).toBeGreaterThan(COUNT / 50);
    await sequences.harness.expectAllWritten();
  }, 3_000_000);
});
