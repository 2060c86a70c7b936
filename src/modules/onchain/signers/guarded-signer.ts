import { SigningRefused, type Signer } from '../../../domain/onchain/signer.ts';
import {
  judgeSigning,
  type SigningRefusal,
  type SigningRules,
  type Spending,
} from '../../../domain/onchain/signing-policy.ts';
import type { ChainTransaction } from '../../../domain/onchain/transaction.ts';
import type { Clock } from '../../../domain/clock.ts';
import { hourBefore } from '../../../domain/onchain/hour-before.ts';
import { completeSignature } from './complete-signature.ts';
import type { KeyStore } from './key-store.ts';
import type { NonceRange, SigningHour } from './signing-hour.ts';

/**
 * What is known elsewhere, as in the database, to have been signed for since then, in minor units of the
 * asset, without the nonces that are counted here.
 */
export type SpentWithinHour = (
  asset: string,
  since: Date,
  except: readonly NonceRange[],
) => Promise<bigint>;

export interface GuardedSignerDeps {
  readonly rules: SigningRules;
  readonly keyStore: KeyStore;
  /** Shared by all signer accounts of the network. */
  readonly hour: SigningHour;
  readonly spentWithinHour: SpentWithinHour;
  readonly clock: Clock;
}

/**
 * The one way to a signature: the policy first, then the hour's cap, then the key store; what the key store
 * answers must recover to the signer account's address and carry exactly what was asked for.
 */
export function createGuardedSigner(deps: GuardedSignerDeps): Signer {
  const { rules, keyStore, hour, spentWithinHour, clock } = deps;
  return {
    address: rules.address,
    async sign(given) {
      // A caller that changes its bytes meanwhile changes nothing here.
      const unsigned = Uint8Array.from(given);
      const judged = judgeSigning(unsigned, rules);
      if (!judged.ok) throw refused(judged.why);
      const { transaction, spending } = judged;
      if (spending !== null) await takeFromHour(deps, transaction, spending);
      return completeSignature(transaction, await keyStore.sign(unsigned), rules.address);
    },
    async room(asset) {
      const { transactionMax, hourMax } =
        rules.tokens.find((token) => token.asset === asset) ?? NOTHING;
      const now = clock.now();
      const known = await spentWithinHour(asset, hourBefore(now), hour.held(now));
      const spent = hour.spent(asset, now) + known;
      return { transactionMax, hourMax, hourLeft: spent < hourMax ? hourMax - spent : 0n };
    },
  };
}

const NOTHING = { transactionMax: 0n, hourMax: 0n } as const;

async function takeFromHour(
  { rules, hour, spentWithinHour, clock }: GuardedSignerDeps,
  { nonce }: ChainTransaction,
  { asset, amount, hourMax }: Spending,
): Promise<void> {
  const { address } = rules;
  const now = clock.now();
  const except = [...hour.held(now), { address, first: nonce, last: nonce }];
  const knownElsewhere = await spentWithinHour(asset, hourBefore(now), except);
  // What is booked meanwhile counts as well, so that many at a time cannot take more than is left.
  const isTaken = hour.take({ address, nonce, asset, amount, hourMax, now, knownElsewhere });
  if (!isTaken) throw refused('HOUR_OVER_CAP');
}

const refused = (why: SigningRefusal): SigningRefused => new SigningRefused(why);
