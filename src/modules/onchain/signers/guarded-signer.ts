import { SigningRefused, type Signer } from '../../../domain/onchain/signer.ts';
import {
  judgeSigning,
  type SigningRefusal,
  type SigningRules,
  type Spending,
} from '../../../domain/onchain/signing-policy.ts';
import type { ChainTransaction } from '../../../domain/onchain/transaction.ts';
import type { Clock } from '../../../domain/clock.ts';
import { completeSignature } from './complete-signature.ts';
import type { KeyStore } from './key-store.ts';
import { hourBefore, type NonceOfSignerAccount, type SigningHour } from './signing-hour.ts';

/**
 * What is known elsewhere, as in the database, to have been signed for since then, in minor units of the
 * asset, without the nonce that is asked about.
 */
export type SpentWithinHour = (
  asset: string,
  since: Date,
  except: NonceOfSignerAccount,
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
    async hourLeft(asset) {
      const hourMax = rules.tokens.find((token) => token.asset === asset)?.hourMax ?? 0n;
      const now = clock.now();
      const known = await spentWithinHour(asset, hourBefore(now), NO_NONCE(rules.address));
      const own = hour.spent(asset, now);
      const spent = own > known ? own : known;
      return spent < hourMax ? hourMax - spent : 0n;
    },
  };
}

/** What is asked of every nonce. */
const NO_NONCE = (address: string): NonceOfSignerAccount => ({ address, nonce: -1n });

async function takeFromHour(
  { rules, hour, spentWithinHour, clock }: GuardedSignerDeps,
  { nonce }: ChainTransaction,
  { asset, amount, hourMax }: Spending,
): Promise<void> {
  const { address } = rules;
  const now = clock.now();
  const knownElsewhere = await spentWithinHour(asset, hourBefore(now), { address, nonce });
  // Nothing waits between the sum and the booking: two at a time cannot both take the last of it.
  const isTaken = hour.take({ address, nonce, asset, amount, hourMax, now, knownElsewhere });
  if (!isTaken) throw refused('HOUR_OVER_CAP');
}

const refused = (why: SigningRefusal): SigningRefused => new SigningRefused(why);
