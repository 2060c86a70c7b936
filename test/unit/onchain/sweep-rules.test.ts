import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { raisedFees } from '../../../src/domain/onchain/transaction-fees.ts';
import { SALTS_MAX, SWEEP_GAS_MAX } from '../../../src/domain/onchain/signing-policy.ts';
import {
  affordableAddresses,
  sweepCaps,
  sweepFees,
  sweepGas,
  sweepRules,
} from '../../../src/domain/onchain/sweep-rules.ts';

const GWEI = 1_000_000_000n;
/** What sixteen transfers may take. Units of gas. */
const KEPT_BACK = 1_600_000n;

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas = 1n) => {
  return { maxFeePerGas, maxPriorityFeePerGas };
};

describe('a sweep', () => {
  it('never takes what the payments of a signer account may need, nor more than a signer lets through', () => {
    const coins = fc.bigInt(0n, 10n ** 20n);
    fc.assert(
      fc.property(coins, fc.bigInt(1n, 1_000n * GWEI), (held, fee) => {
        const addresses = affordableAddresses(held, fees(fee));
        expect(addresses).toBeGreaterThanOrEqual(0);
        expect(addresses).toBeLessThanOrEqual(SALTS_MAX);
        if (addresses === 0) return;
        expect(sweepGas(addresses)).toBeLessThanOrEqual(SWEEP_GAS_MAX);
        expect((sweepGas(addresses) + KEPT_BACK) * fee).toBeLessThanOrEqual(held);
      }),
    );
  });

  it('waits while the network asks for more than sweeps, or any transaction, may offer', () => {
    const rules = { tokens: [], maxFeePerGas: 10n * GWEI, everyMs: 1 };
    const caps = fees(20n * GWEI, 9n);
    expect(sweepFees(fees(10n * GWEI), rules, caps)).toEqual(fees(10n * GWEI));
    expect(sweepFees(fees(10n * GWEI + 1n), rules, caps)).toBeNull();
    expect(sweepFees(fees(10n * GWEI), rules, fees(9n * GWEI))).toBeNull();
  });

  it('never offers so much that what uses its nonce up could not take its place', () => {
    const wei = fc.bigInt(9n, 10n ** 13n);
    fc.assert(
      fc.property(wei, wei, wei, wei, wei, (most, max, tip, suggested, suggestedTip) => {
        const caps = fees(max, tip < max ? tip : max);
        const rules = { tokens: [], maxFeePerGas: most, everyMs: 1 };
        const dearest = sweepCaps(rules, caps);
        const offered = sweepFees(fees(suggested, suggestedTip), rules, caps) ?? dearest;
        expect(dearest.maxFeePerGas).toBeLessThanOrEqual(most);
        expect(raisedFees(offered, fees(1n), caps)).not.toBeNull();
        expect(raisedFees(dearest, fees(1n), caps)).not.toBeNull();
      }),
    );
  });

  it('is of assets with a floor alone', () => {
    const assets = [
      { asset: 'USDC', contract: '0x1', min: 1n, max: 2n },
      { asset: 'EURC', contract: '0x2', min: 1n, max: 2n },
    ];
    const sweeps = { floors: { EURC: 5n }, maxFeePerGas: GWEI };
    expect(sweepRules({ assets, sweeps }, 7)).toEqual({
      tokens: [{ asset: 'EURC', contract: '0x2', floor: 5n }],
      ...{ maxFeePerGas: GWEI, everyMs: 7 },
    });
    expect(sweepRules({ assets, sweeps: null }, 7)).toBeNull();
  });
});
