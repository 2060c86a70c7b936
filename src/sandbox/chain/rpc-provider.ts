import { decodeFunctionData, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { NodeRefusal, type AnvilNode } from './anvil-node.ts';
import { TOKEN_ABI } from './chain-contracts.ts';
import type { EmptiedWallets } from './emptied-wallets.ts';
import { laggingHead, lagParams, lagResult } from './lagging-view.ts';
import type { Provider, RpcFaults } from './rpc-faults.ts';
import { readSent, readTransfer, transferFate } from './sent-transaction.ts';
import type { TxPool } from './tx-pool.ts';

/** Only what a public node offers: those who use the URLs must not be able to change the chain. */
const METHODS =
  /^(eth_(?!send|sign|mining|accounts)\w+|eth_sendRawTransaction|net_version|web3_\w+)$/;
const REVERTED = { code: 3, message: 'execution reverted', data: '0x' };

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } };

/** The two RPC URLs of one network, as the node and the sandbox's pool answer them. */
interface RpcProvider {
  /**
   * Answers one JSON-RPC request or a batch of them.
   * @returns null where the connection is to be closed without an answer.
   */
  answer(provider: Provider, body: unknown): Promise<unknown>;
}

export function createRpcProvider(deps: {
  readonly node: AnvilNode;
  readonly pool: TxPool;
  readonly faults: RpcFaults;
  readonly emptied: EmptiedWallets;
  readonly tokens: readonly Address[];
  /** Calldata whose transaction has reverted: tried again it fails. */
  readonly hasReverted: (data: string) => boolean;
  readonly onTaken: () => void;
}): RpcProvider {
  const { node, pool, faults, emptied, tokens } = deps;

  async function send(raw: unknown): Promise<RpcOutcome | null> {
    const sent = await readSent(raw as Hex, tokens).catch(() => null);
    if (sent === null) return refuse(-32602, 'this is no signed EIP-1559 transaction');
    const chainId = await node.call<Hex>('eth_chainId');
    if (sent.pending['chainId'] !== chainId) return refuse(-32000, 'invalid chain id for signer');
    const isMined = (await node.call('eth_getTransactionReceipt', [sent.hash])) !== null;
    if (isMined) return refuse(-32000, 'already known');
    const next = Number(await node.call<Hex>('eth_getTransactionCount', [sent.from, 'latest']));
    if (sent.nonce < next) return refuse(-32000, 'nonce too low');
    const taken = pool.add(sent, Number(await node.call<Hex>('eth_blockNumber')));
    if (taken === 'UNDERPRICED') return refuse(-32000, 'replacement transaction underpriced');
    deps.onTaken();
    const isDropped = sent.transfer !== null && transferFate(sent.transfer) === 'ANSWER_DROPPED';
    return isDropped ? null : { result: sent.hash };
  }

  /** What the sandbox answers to a call that is tried; null leaves it to the node. */
  function judge(tried: unknown): RpcOutcome | null {
    const { from, to, data, input = data } = (tried ?? {}) as Record<string, Hex | undefined>;
    const transfer = readTransfer(to, input, tokens);
    if (transfer === null) return findEmptied(to, input);
    switch (transferFate(transfer)) {
      case 'FROZEN':
        return { error: REVERTED };
      case 'REVERTED':
        return deps.hasReverted(input ?? '') ? { error: REVERTED } : null;
      case 'EMPTIED': {
        const isEmpty = from !== undefined && emptied.empties(transfer.token, from, input ?? '0x');
        return isEmpty ? { error: REVERTED } : null;
      }
      default:
        return null;
    }
  }

  function findEmptied(token: Hex | undefined, data: Hex | undefined): RpcOutcome | null {
    if (token === undefined || data === undefined) return null;
    try {
      const call = decodeFunctionData({ abi: TOKEN_ABI, data });
      if (call.functionName !== 'balanceOf') return null;
      const isEmpty = emptied.holdsNothing(token, call.args[0]);
      return isEmpty ? { result: toHex(0n, { size: 32 }) } : null;
    } catch {
      // Any other call: the node's business.
      return null;
    }
  }

  async function ask(provider: Provider, { method, params }: RpcCall): Promise<RpcOutcome> {
    const isLagging = faults.has(provider, 'lag');
    if (!isLagging) return { result: await node.call(method, params) };
    const head = laggingHead(Number(await node.call<Hex>('eth_blockNumber')));
    if (method === 'eth_blockNumber') return { result: toHex(head) };
    const result = await node.call(method, lagParams(params, head) as readonly unknown[]);
    return { result: lagResult(result, head) };
  }

  async function answerOne(provider: Provider, call: RpcCall): Promise<RpcOutcome | null> {
    const { method, params } = call;
    if (!METHODS.test(method)) return refuse(-32601, 'the method does not exist');
    if (method === 'eth_sendRawTransaction') return send(params[0]);
    if (method === 'eth_getLogs' && faults.has(provider, 'omit_logs')) return { result: [] };
    if (method === 'eth_call' || method === 'eth_estimateGas') {
      const judged = judge(params[0]);
      if (judged !== null) return judged;
    }
    const outcome = await ask(provider, call);
    if (method === 'eth_getTransactionByHash' && 'result' in outcome && outcome.result === null) {
      return { result: pool.find(String(params[0]))?.pending ?? null };
    }
    return outcome;
  }

  async function exchange(provider: Provider, request: unknown): Promise<object | null> {
    const call = readCall(request);
    if (call === null)
      return { jsonrpc: '2.0', id: null, ...refuse(-32600, 'no JSON-RPC request') };
    const outcome = await answerOne(provider, call).catch((error: unknown) => {
      if (error instanceof NodeRefusal) return refuse(error.code, error.message, error.data);
      throw error;
    });
    return outcome === null ? null : { jsonrpc: '2.0', id: call.id, ...outcome };
  }

  return {
    async answer(provider, body) {
      if (faults.has(provider, 'drop')) return null;
      if (!Array.isArray(body)) return exchange(provider, body);
      const answers: object[] = [];
      for (const request of body) {
        const answer = await exchange(provider, request);
        if (answer === null) return null;
        answers.push(answer);
      }
      return answers;
    },
  };
}

function refuse(code: number, message: string, data?: string): RpcOutcome {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function readCall(request: unknown): RpcCall | null {
  const { id = null, method, params = [] } = (request ?? {}) as Record<string, unknown>;
  if (typeof method !== 'string' || !Array.isArray(params)) return null;
  return { id, method, params };
}
