import { Type, type Static } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { LOG_LEVEL } from './log-level.ts';
import { port, text, words } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';

/** The networks of the sandbox. */
export const SANDBOX_NETWORKS = words('SANDBOX_NETWORKS', Type.Enum(NETWORKS), {
  must: `some of ${NETWORKS.join(', ')}`,
  default: ['ETHEREUM', 'BASE'],
  description: 'The sandbox chains that run.',
});

/** What the local run tells the program of its chains. */
export const SANDBOX_CHAIN = Type.Object({
  logLevel: LOG_LEVEL,
  anvilBin: text('ANVIL_BIN', { unit: 'path', description: 'the program that keeps the chains' }),
  port: port('SANDBOX_CHAIN_PORT', 4050, 'both RPC URLs of every network, and the control API'),
  folder: text('SANDBOX_CHAIN_DIR', {
    unit: 'path',
    description: 'The folder of the sandbox chains.',
  }),
  networks: SANDBOX_NETWORKS,
  hotAddress: text('SANDBOX_CHAIN_HOT_ADDRESS', {
    unit: 'address',
    description: 'The address that receives coins and tokens on every sandbox chain.',
  }),
});

export function readSandboxChainConfig(env: Env): Static<typeof SANDBOX_CHAIN> {
  return readSettings(SANDBOX_CHAIN, env);
}
