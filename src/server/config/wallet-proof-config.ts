import { Type, type Static } from 'typebox';
import {
  PROOF_CURRENCY,
  type WalletProofPolicy,
} from '../../domain/onchain/wallet-proof-policy.ts';
import { splitDecimal } from '../../domain/money/decimal-text.ts';
import type { Environment } from '../../domain/scope.ts';
import { checkedAmount } from './checked-amount.ts';
import { perEnvironment } from './setting-scope.ts';
import { integer, text } from './setting-types.ts';

const HOUR_MS = 3_600_000;
const WHOLE_DIGITS_MAX = 9;
const FRACTION_DIGITS_MAX = 2;

const NONE = 'none';

function isLimit(given: string): boolean {
  if (given === NONE) return true;
  const parts = splitDecimal(given);
  if (parts === null || !/[1-9]/.test(given)) return false;
  return parts.whole.length <= WHOLE_DIGITS_MAX && parts.fraction.length <= FRACTION_DIGITS_MAX;
}

function policy() {
  return Type.Object({
    from: text(
      'WALLET_PROOF_FROM',
      {
        default: '1000.00',
        must: 'a decimal amount above 0 of at most 9 digits and 2 decimals, as 1000.00, or none',
        unit: 'EUR',
        description:
          'The value of payments to one address in 24 hours from which a `SELF_HOSTED` wallet needs a proof of ownership: [wallets](wallets.md). `none` turns it off. API and worker need the same value.',
      },
      isLimit,
    ),
    coolOffHours: integer('WALLET_COOL_OFF_HOURS', [0, 720], {
      default: 0,
      unit: 'h',
      description: 'The time after its registration in which a wallet is not paid.',
    }),
  });
}

/** From when on wallets are paid, by environment. */
export const WALLET_PROOF = perEnvironment(policy);

type Policies = Static<typeof WALLET_PROOF>;

/** The policies of both environments. They have been checked. */
export function walletProofPolicies(
  { test, live }: Policies,
  { rateMaxAgeMs }: { readonly rateMaxAgeMs: number },
): Readonly<Record<Environment, WalletProofPolicy>> {
  const read = ({ from, coolOffHours }: Policies['test']): WalletProofPolicy => ({
    from: from === NONE ? null : checkedAmount(from, PROOF_CURRENCY),
    ...{ coolOffMs: coolOffHours * HOUR_MS, rateMaxAgeMs },
  });
  return { test: read(test), live: read(live) };
}
