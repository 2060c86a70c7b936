import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startKycSequences,
  type KycSequences,
} from '../../support/payments/kyc-sequences-harness.ts';

/** 200 of them: test/volume; 5,000: the campaign. */
const COUNT = 40;
const SEED = 20_261_122;

let sequences: KycSequences;
beforeAll(async () => {
  sequences = await startKycSequences();
});
afterAll(() => sequences.close());

describe(`KYC moves shuffled, repeated, late, contradictory and at once, seed ${String(SEED)}`, () => {
  it('end where the newest says, one event a version, and no payment leaves without approval', async () => {
    await sequences.playAll(COUNT, SEED);
    const { counts, wrong } = await sequences.witnessed();
    expect(wrong).toEqual([]);
    // Enough was at stake: payments that left, and payments that were kept from it.
    expect(counts?.claimed).toBeGreaterThan(COUNT / 10);
    expect(counts?.held).toBeGreaterThan(COUNT / 50);
    await sequences.harness.expectAllWritten();
  });
});
