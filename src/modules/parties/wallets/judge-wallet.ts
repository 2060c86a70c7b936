import type { WalletOwnership } from '../../../db/parties/wallet-store.ts';
import { readPayableAddress, type AddressRule } from '../../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../../domain/onchain/network.ts';
import type { ListedNetwork } from '../../../domain/onchain/network-setup.ts';
import {
  findRestrictions,
  type Restrictions,
} from '../../../domain/payments/corridors/restrictions.ts';
import { refuseField, type Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { checkCountry } from '../end-users/check-end-user.ts';
import type { WalletVasp } from './wallet-vasp.ts';

/** What a customer says of a new wallet. */
export interface WalletOrder {
  /** Left out: the customer's own. */
  readonly endUserId?: string;
  readonly network: string;
  readonly address: string;
  readonly ownership: WalletOwnership;
  /** Who keeps a HOSTED wallet. */
  readonly vasp?: WalletVasp;
}

/** A wallet that could be paid to. */
export interface JudgedWallet {
  readonly endUserId: string | null;
  readonly network: Network;
  /** In EIP-55's mixed case. */
  readonly address: string;
}

const RULES: Readonly<Record<AddressRule, string>> = {
  FORMAT: 'An address must be 0x and 40 hexadecimal digits.',
  CHECKSUM: 'The EIP-55 checksum of the address is wrong. Check the address for typing errors.',
  ZERO: 'The zero address cannot be paid, because nobody has its key.',
  PRECOMPILE: 'The address is a precompiled contract of the network and cannot be paid.',
  TOKEN: 'The address is a token contract. Tokens sent to it are lost.',
  OURS: 'The address belongs to this service and cannot be registered.',
};

/**
 * Checks all that can be known without the database, all problems at once. Refuses with
 * corridor_unavailable where the environment has no network.
 */
export function judgeWallet(
  networks: readonly ListedNetwork[],
  restrictions: Restrictions,
  order: WalletOrder,
): JudgedWallet {
  if (networks.length === 0) {
    const message = 'No network is available now. Try again later.';
    throw refuseField('corridor_unavailable', '/network', message);
  }
  const network = NETWORKS.find((name) => name === order.network);
  const isServed = networks.some((one) => one.network === network);
  const address = readPayableAddress(order.address, {
    // One key has the same address on every network, and so have contracts made by CREATE2.
    tokens: networks.flatMap(({ assets }) => assets.map(({ contract }) => contract)),
    ours: networks.flatMap(({ own }) => own),
  });
  const problems = [
    ...(isServed ? [] : [UNSUPPORTED_NETWORK]),
    ...(address.ok ? [] : [addressProblem(address.rule)]),
    ...vaspProblems(restrictions, order),
  ];
  if (problems.length > 0 || network === undefined || !address.ok) throw refuseProblems(problems);
  return { endUserId: order.endUserId ?? null, network, address: address.address };
}

const UNSUPPORTED_NETWORK: Problem = {
  path: '/network',
  code: 'unsupported_network',
  message: 'The network is not supported. Use a network that GET /networks lists.',
};

const addressProblem = (rule: AddressRule): Problem => ({
  path: '/address',
  code: 'invalid_address',
  message: RULES[rule],
  meta: { rule },
});

function vaspProblems(restrictions: Restrictions, { ownership, vasp }: WalletOrder): Problem[] {
  const path = '/vasp';
  if (ownership === 'HOSTED' && vasp === undefined) {
    return [
      { path, code: 'required', message: 'A HOSTED wallet requires vasp. Name its provider.' },
    ];
  }
  if (vasp === undefined) return [];
  if (ownership === 'SELF_HOSTED') {
    const message = 'A SELF_HOSTED wallet has no provider. Remove vasp.';
    return [{ path, code: 'unexpected', message }];
  }
  const place = '/vasp/country';
  return [
    ...checkCountry(vasp.country, place),
    ...findRestrictions(restrictions, { countries: [[place, vasp.country]] }),
  ];
}
