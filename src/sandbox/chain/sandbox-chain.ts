import { join } from 'node:path';
import type { Address } from 'viem';
import type { Network } from '../../domain/onchain/network.ts';
import type { Clock } from '../../domain/clock.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createSandboxServer } from '../sandbox-server.ts';
import { openChainDeposits } from './chain-deposits.ts';
import { MINER_TIMINGS, type MinerTimings } from './chain-miner.ts';
import { createChainRoutes } from './chain-routes.ts';
import { startSandboxNetwork, type SandboxNetwork } from './sandbox-network.ts';

interface SandboxChainOptions {
  /** The path of anvil. */
  readonly command: string;
  readonly networks: readonly Network[];
  /** Where chains and deposits are kept; null forgets them. Two sandboxes must not share one. */
  readonly folder: string | null;
  /** Get coins and tokens on every network. */
  readonly hotAddresses: readonly Address[];
  readonly clock: Clock;
  readonly timings?: Partial<MinerTimings>;
  readonly log: SandboxLog;
  /** Called when a node ends by itself: nothing here can go on. */
  readonly onDeath: (reason: string) => void;
}

export interface SandboxChain {
  /** Port 0 takes a free one. Resolves to the URL, which has no slash at its end. */
  listen(port: number): Promise<string>;
  readonly url: string;
  readonly networks: readonly SandboxNetwork[];
  /** Keeps the chains and ends their nodes. */
  close(): Promise<void>;
}

/** The chains of the sandbox: a node a network, and the server that is both RPC URLs of each. */
export async function createSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  const { folder, clock, log } = options;
  const timings = { ...MINER_TIMINGS, ...options.timings };
  const started = await Promise.allSettled(
    options.networks.map((network) =>
      startSandboxNetwork({
        ...{ network, folder, clock, timings, log },
        command: options.command,
        hotAddresses: options.hotAddresses,
        onDeath: options.onDeath,
      }),
    ),
  );
  const networks = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    for (const network of networks) await network.close();
    const reason: unknown = failed.reason;
    throw reason instanceof Error ? reason : new Error('a chain did not start', { cause: reason });
  }
  const journalFile = folder === null ? null : join(folder, 'deposits.jsonl');
  const deposits = await openChainDeposits(journalFile, (name) =>
    networks.find(({ network }) => network === name),
  );
  const server = createSandboxServer(
    createChainRoutes({ networks, deposits, url: () => server.url }),
    log,
  );

  return {
    listen: (port) => server.listen(port),
    get url() {
      return server.url;
    },
    networks,
    async close() {
      await server.close();
      await deposits.close();
      for (const network of networks) await network.close();
    },
  };
}
