import type { Network } from '../../domain/onchain/network.ts';
import { answerJson, BadInput, NOT_FOUND } from '../sandbox-server.ts';
import type { SandboxHandler, SandboxReply } from '../sandbox-server.ts';
import { isChainDepositId, readChainDeposit, type ChainDeposits } from './chain-deposits.ts';
import { PROVIDERS, readRpcFault } from './rpc-faults.ts';
import type { SandboxNetwork } from './sandbox-network.ts';

const BLOCKS_MAX = 1_000;
/** A block six under the newest one is final in test, and is never replaced. */
const REORG_DEPTH_MAX = 5;

/** The RPC URLs of the networks under /rpc, and beside them what only a sandbox offers. */
export function createChainRoutes(deps: {
  readonly networks: readonly SandboxNetwork[];
  readonly deposits: ChainDeposits;
  /** Where the routes are reached. */
  readonly url: () => string;
}): SandboxHandler {
  const { networks, deposits } = deps;

  function find(name: unknown): SandboxNetwork {
    const found = networks.find(({ network }) => network === name);
    if (found === undefined) throw new BadInput(422, 'network', 'not one that runs here');
    return found;
  }

  async function exchange(path: readonly string[], body: unknown): Promise<SandboxReply> {
    const [, network, name, ...more] = path;
    const found = networks.find((one) => pathOf(one.network) === network);
    const provider = PROVIDERS.find((one) => one === name);
    if (found === undefined || provider === undefined || more.length > 0) return NOT_FOUND;
    const answer = await found.answer(provider, body);
    return answer === null ? { kind: 'DROP' } : answerJson(200, answer);
  }

  function describe({ network, chainId, genesis, contracts, nodePid }: SandboxNetwork): object {
    const { tokens, factory, treasury } = contracts;
    return {
      ...{ network, chainId, genesis, factory, treasury, nodePid },
      rpcUrls: PROVIDERS.map((provider) => `${deps.url()}/rpc/${pathOf(network)}/${provider}`),
      assets: Object.entries(tokens).map(([asset, contract]) => ({ asset, contract })),
    };
  }

  const listFaults = (): SandboxReply =>
    answerJson(200, {
      data: networks.flatMap(({ network, faults }) =>
        faults.list().map((order) => ({ network, ...order })),
      ),
    });

  async function mineEmpty(body: unknown): Promise<SandboxReply> {
    const { network, count } = (body ?? {}) as Record<string, unknown>;
    const blocks = readCount('count', count, BLOCKS_MAX);
    await find(network).mineEmpty(blocks);
    return answerJson(200, { network, count: blocks });
  }

  async function reorganise(body: unknown): Promise<SandboxReply> {
    const { network, depth } = (body ?? {}) as Record<string, unknown>;
    const blocks = readCount('depth', depth, REORG_DEPTH_MAX);
    await find(network).reorganise(blocks);
    return answerJson(200, { network, depth: blocks });
  }

  return async ({ method, path, body }) => {
    const [resource = '', id, ...more] = path;
    if (method === 'POST' && resource === 'rpc') return exchange(path, body);
    if (more.length > 0) return NOT_FOUND;
    const { network } = (body ?? {}) as Record<string, unknown>;
    switch (`${method} ${resource}${id === undefined ? '' : '/:id'}`) {
      case 'GET networks':
        return answerJson(200, { data: networks.map(describe) });
      case 'PUT deposits/:id':
        if (!isChainDepositId(id ?? '')) {
          throw new BadInput(400, 'deposit', 'must be [A-Za-z0-9_-]{1,60}');
        }
        return deposits.put(id ?? '', readChainDeposit(body));
      case 'GET deposits/:id':
        return deposits.get(id ?? '');
      case 'POST refills':
        find(network).refill();
        return answerJson(200, { network });
      case 'POST blocks':
        return mineEmpty(body);
      case 'POST reorgs':
        return reorganise(body);
      case 'GET faults':
        return listFaults();
      case 'POST faults':
        find(network).faults.order(readRpcFault(body));
        return listFaults();
      case 'DELETE faults':
        for (const { faults } of networks) faults.clear();
        return listFaults();
      case 'GET health':
        return answerJson(200, { status: 'ok' });
      default:
        return NOT_FOUND;
    }
  };
}

function readCount(field: string, count: unknown, max: number): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= max) {
    return count;
  }
  throw new BadInput(400, field, `1 to ${max}`);
}

const pathOf = (network: Network): string => network.toLowerCase();
