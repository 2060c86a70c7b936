import type { ChainAlarm, ChainDeps } from '../../modules/onchain/chain-deps.ts';
import type { AddressScreening } from '../../modules/parties/wallets/look-up-address.ts';
import { createChainMemory } from '../../modules/onchain/chain-memory.ts';
import { createChainNodes } from '../../adapters/evm/chain-nodes.ts';
import type { ChainSignersConfig } from '../config/chain-signers-config.ts';
import { readGivenUpSignerAccounts } from '../../db/onchain/signer-account-store.ts';
import { sumSignedSince } from '../../db/onchain/chain-nonce-store.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { sweepRules } from '../../domain/onchain/sweep-rules.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { describeFault } from '../../web/kit/http/describe-fault.ts';
import { openAddressScreening } from './open-address-screening.ts';
import { openSigners, type Signers } from './open-signers.ts';
import { repeatAlarms } from './repeat-alarms.ts';
import type { Resources } from './resources.ts';
import { tellLag, type LagAlarm } from './tell-lag.ts';

/** How soon a chain is looked at again while something is under way, in ms. */
export const POLL_EVERY_MS: Readonly<Record<Environment, number>> = { test: 500, live: 4_000 };

/** Between rounds of sweeps, in ms. */
const SWEEP_EVERY_MS: Readonly<Record<Environment, number>> = { test: 10_000, live: 600_000 };

/** The chains that a process pays over. */
export interface Chains {
  /** Null where no such network is configured. */
  chainOf(place: ChainPlace): ChainDeps | null;
  close(): Promise<void>;
}

/**
 * Opens every configured network with its nodes and signers. Of servers it asks the database alone: which addresses are
 * given up, and need no key. Throws PlainError where any other has none, and what the database throws.
 */
export async function openChains(
  resources: Resources,
  signers: ChainSignersConfig,
): Promise<Chains> {
  const { config, db, clock } = resources;
  const networks = config.chain;
  const givenUp = await db.system(readGivenUpSignerAccounts);
  const opened = openSigners({
    ...{ signers, networks, clock },
    isGivenUp: ({ environment, network }, address) =>
      givenUp.some(
        (givenUp) =>
          givenUp.environment === environment &&
          givenUp.network === network &&
          givenUp.address === address,
      ),
    spentWithinHour: (place) => (asset, since, except) =>
      db.system((tx) => sumSignedSince(tx, place, { asset, since, except })),
  });
  const addressScreening = openAddressScreening(resources);
  const all = ENVIRONMENTS.flatMap((environment) =>
    networks[environment].map((setup) =>
      openChain(resources, { signers: opened, addressScreening }, environment, setup),
    ),
  );
  return {
    chainOf: ({ environment, network }) =>
      all.find(
        ({ deps: { place } }) => place.environment === environment && place.network === network,
      )?.deps ?? null,
    async close() {
      await Promise.all(all.map(({ close }) => close()));
    },
  };
}

/** What all networks share. */
interface Opened {
  readonly signers: Signers;
  readonly addressScreening: AddressScreening;
}

function openChain(
  { db, clock, corridors, workflows, log }: Resources,
  { signers, addressScreening }: Opened,
  environment: Environment,
  setup: NetworkSetup,
): { readonly deps: ChainDeps; readonly close: () => Promise<void> } {
  const { network, rpcUrls, depths, hotAddresses, gasCaps, chainId, factory, treasury, hot } =
    setup;
  const { notFinalMax } = setup;
  const alarm = repeatAlarms<ChainAlarm | LagAlarm>(clock, (one) => {
    log.error({ environment, network, alarm: one }, 'network needs an operator');
  });
  const opened = createChainNodes({ rpcUrls, depths });
  const nodes = tellLag(opened, clock, alarm);
  const deps: ChainDeps = {
    ...{ db, clock, corridors, workflows, nodes, memory: createChainMemory() },
    place: { environment, network },
    settings: {
      ...{ chainId: BigInt(chainId), hotAddresses, gasCaps, factory, treasury, hot },
      notFinalMax,
      sweeps: sweepRules(setup, SWEEP_EVERY_MS[environment]),
      pollEveryMs: POLL_EVERY_MS[environment],
    },
    addressScreening,
    signerOf: (address) => signers.find(environment, network, address),
    alarm,
    onFault: (about, error) => {
      const fault = describeFault(error);
      log.error(
        { environment, network, about, fault },
        'a poll cycle of a network went past an error',
      );
    },
  };
  return { deps, close: () => opened.close() };
}
