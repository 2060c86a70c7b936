import { setTimeout as pause } from 'node:timers/promises';
import { createChainNodes } from '../../adapters/evm/chain-nodes.ts';
import { checkNetwork } from '../../adapters/evm/check-network.ts';
import type { ReaderAlarm, ReaderDeps } from '../../modules/onchain/deposits/reader-deps.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import type { AddressScreening } from '../../modules/parties/wallets/look-up-address.ts';
import { repeatAlarms } from './repeat-alarms.ts';
import type { Resources } from './resources.ts';
import { tellLag, type LagAlarm } from './tell-lag.ts';

type Setups = Readonly<Record<Environment, readonly NetworkSetup[]>>;

/** How soon a chain is read again: while something is expected, and while nothing is, in ms. */
export const POLL_EVERY_MS: Readonly<Record<Environment, number>> = { test: 500, live: 4_000 };
export const REST_EVERY_MS: Readonly<Record<Environment, number>> = { test: 5_000, live: 15_000 };

/** Every chain that is configured. */
export const chainPlaces = (setups: Setups): readonly ChainPlace[] =>
  ENVIRONMENTS.flatMap((environment) =>
    setups[environment].map(({ network }) => ({ environment, network })),
  );

/**
 * What reads the configured chains for deposits. A network is held against what its nodes say before it is
 * read for the first time: until they agree, ChainUnreadable is thrown. Null where none is configured.
 */
export function openReaders(
  resources: Resources,
  addressScreening: AddressScreening,
): (place: ChainPlace) => Promise<ReaderDeps | null> {
  const { config, db, clock, workflows, log } = resources;
  const opened = new Map<string, ReaderDeps>();

  async function open(place: ChainPlace, setup: NetworkSetup): Promise<ReaderDeps> {
    const { environment } = place;
    const problems = await checkNetwork({ environment, ...setup }, { pause: (ms) => pause(ms) });
    for (const { network, field, problem } of problems) {
      log.error({ environment, network, field, problem }, 'network is not read for deposits');
    }
    if (problems.length > 0) throw new ChainUnreadable('NOT_AS_CONFIGURED');
    const { rpcUrls, depths, assets, treasury, depositFloors } = setup;
    const alarm = repeatAlarms<ReaderAlarm | LagAlarm>(clock, (one) => {
      log.error({ ...place, alarm: one }, 'deposits of a network need an operator');
    });
    return {
      ...{ db, clock, place, workflows },
      settings: {
        assets: assets.map((one) => ({ ...one, floor: depositFloors[one.asset] ?? 0n })),
        treasury,
        pollEveryMs: POLL_EVERY_MS[environment],
        restEveryMs: REST_EVERY_MS[environment],
      },
      nodes: tellLag(createChainNodes({ rpcUrls, depths }), clock, alarm),
      askAddress: addressScreening[environment] ?? null,
      failedLookUps: new Set(),
      alarm,
    };
  }

  return async ({ environment, network }) => {
    const setup = config.chain[environment].find((one) => one.network === network);
    if (setup === undefined) return null;
    const key = `${environment}/${network}`;
    const known = opened.get(key) ?? (await open({ environment, network }, setup));
    opened.set(key, known);
    return known;
  };
}
