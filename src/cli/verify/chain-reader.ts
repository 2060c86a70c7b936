import type { Depth } from '../../domain/onchain/network.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { askNode, RpcRefused, type RpcCall } from './json-rpc.ts';
import { UnusableInput } from './unusable-input.ts';

/** Tokens that left an address: one Transfer event (EIP-20). Addresses and hashes in lower case. */
export interface TokenMove {
  readonly hash: string;
  readonly block: bigint;
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  /** Minor units of the token. */
  readonly amount: bigint;
}

/** A transaction that is in a block. */
export interface MinedCall {
  readonly from: string;
  readonly nonce: bigint;
  readonly block: bigint;
  /** Null where it made a contract. */
  readonly to: string | null;
  /** Wei of the network's coin that it carries. */
  readonly value: bigint;
  /** The calldata: 0x and lower-case hex digits. */
  readonly input: string;
}

/** A Transfer event with its place in its transaction's receipt, from 0. Addresses and hashes in lower case. */
export interface PlacedTransfer extends Omit<TokenMove, 'hash'> {
  readonly ordinal: number;
  readonly blockHash: string;
}

interface ChainHeights {
  /** What lies here is there for good. */
  readonly final: bigint;
  /** The newest block that payments are completed by. */
  readonly believed: bigint;
}

/** A chain as its providers tell it in agreement. Throws UnusableInput where they do not. */
export interface ChainReader {
  heights(): Promise<ChainHeights>;
  /** How many nonces the address has used up to that block. */
  nonceAt(address: string, block: bigint): Promise<bigint>;
  /** What left the addresses in the blocks from one to the other, both included. */
  listMoves(query: MoveQuery): Promise<TokenMove[]>;
  /** Those of the transactions that are in a block, by hash. */
  findMined(hashes: readonly string[]): Promise<ReadonlyMap<string, MinedCall>>;
  /** The transfers in the receipts of those of the transactions that are in a block, by hash. */
  findTransfers(hashes: readonly string[]): Promise<ReadonlyMap<string, readonly PlacedTransfer[]>>;
}

interface MoveQuery {
  readonly contracts: readonly string[];
  readonly senders: readonly string[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** The first topic of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BLOCKS_AT_ONCE = 10_000n;
const HASHES_AT_ONCE = 100;

/** Opens the chain once its nodes have told that it is the right one. */
export async function openChainReader(setup: NetworkSetup): Promise<ChainReader> {
  const nodes = setup.rpcUrls.map((url, index) => ({
    url,
    who: `provider ${String(index + 1)} of ${setup.network}`,
  }));
  const askAll = (calls: readonly RpcCall[]): Promise<(readonly unknown[])[]> =>
    Promise.all(nodes.map((node) => askNode(node, calls))).catch((error: unknown) => {
      if (error instanceof RpcRefused) throw new UnusableInput(error.message);
      throw error;
    });
  const agree = <Read>(what: string, reads: readonly Read[]): Read => {
    const [first] = reads;
    const texts = new Set(reads.map((read) => JSON.stringify(read, writeBigint)));
    if (first === undefined || texts.size > 1) {
      throw new UnusableInput(`the providers of ${setup.network} do not agree about ${what}`);
    }
    return first;
  };

  const [chainId, genesis] = agree(
    'which chain it is',
    (
      await askAll([
        { method: 'eth_chainId', params: [] },
        { method: 'eth_getBlockByNumber', params: ['0x0', false] },
      ])
    ).map(([id, block]) => [quantity(id), textField(block, 'hash')] as const),
  );
  if (chainId !== BigInt(setup.chainId) || (setup.genesis ?? genesis) !== genesis) {
    throw new UnusableInput(`the providers of ${setup.network} serve another chain`);
  }

  async function listRange(query: MoveQuery): Promise<TokenMove[]> {
    const filter = {
      address: query.contracts,
      fromBlock: hex(query.fromBlock),
      toBlock: hex(query.toBlock),
      topics: [TRANSFER, query.senders.map((sender) => `0x${sender.slice(2).padStart(64, '0')}`)],
    };
    const call = { method: 'eth_getLogs', params: [filter] };
    try {
      const lists = await Promise.all(nodes.map((node) => askNode(node, [call])));
      return agree(
        `blocks ${String(query.fromBlock)} to ${String(query.toBlock)}`,
        lists.map(([logs]) => readLogs(logs)),
      ).map(({ move }) => move);
    } catch (error) {
      if (!(error instanceof RpcRefused)) throw error;
      if (query.fromBlock === query.toBlock) throw new UnusableInput(error.message);
      const middle = (query.fromBlock + query.toBlock) / 2n;
      return [
        ...(await listRange({ ...query, toBlock: middle })),
        ...(await listRange({ ...query, fromBlock: middle + 1n })),
      ];
    }
  }

  return {
    async heights() {
      const { final, credit, creditAbove } = setup.depths;
      const depths = [final, credit, creditAbove];
      const tags = [
        'latest',
        ...depths.flatMap((depth) => (depth.kind === 'TAG' ? depth.tag : [])),
      ];
      const calls = tags.map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] }));
      const numbers = (await askAll(calls)).map((blocks) =>
        blocks.map((block) => quantity(textField(block, 'number'))),
      );
      const lowest = (index: number): bigint => least(numbers.map((of) => of[index] ?? 0n));
      const latest = lowest(0);
      const numberAt = (depth: Depth): bigint => {
        if (depth.kind === 'TAG') return least([latest, lowest(tags.indexOf(depth.tag))]);
        const number = latest - BigInt(depth.blocks);
        return number < 0n ? 0n : number;
      };
      const [finalAt = 0n, ...believed] = depths.map(numberAt);
      const call = { method: 'eth_getBlockByNumber', params: [hex(finalAt), false] };
      const hashes = (await askAll([call])).map(([block]) => textField(block, 'hash'));
      agree(`block ${String(finalAt)}`, hashes);
      const most = believed.reduce((high, one) => (one > high ? one : high), finalAt);
      return { final: finalAt, believed: most };
    },
    async nonceAt(address, block) {
      const params = [address, hex(block)];
      const told = await askAll([{ method: 'eth_getTransactionCount', params }]);
      return agree(
        `the nonce of ${address}`,
        told.map(([count]) => quantity(count)),
      );
    },
    async listMoves(query) {
      const moves: TokenMove[] = [];
      for (let from = query.fromBlock; from <= query.toBlock; from += BLOCKS_AT_ONCE) {
        const toBlock = least([query.toBlock, from + BLOCKS_AT_ONCE - 1n]);
        moves.push(...(await listRange({ ...query, fromBlock: from, toBlock })));
      }
      return moves;
    },
    async findMined(hashes) {
      const mined = new Map<string, MinedCall>();
      for (let at = 0; at < hashes.length; at += HASHES_AT_ONCE) {
        const some = hashes.slice(at, at + HASHES_AT_ONCE);
        const calls = some.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }));
        const reads = (await askAll(calls)).map((found) => found.map(readCall));
        for (const [index, call] of agree('a transaction', reads).entries()) {
          if (call !== null) mined.set(some[index] ?? '', call);
        }
      }
      return mined;
    },
    async findTransfers(hashes) {
      const found = new Map<string, readonly PlacedTransfer[]>();
      for (let at = 0; at < hashes.length; at += HASHES_AT_ONCE) {
        const some = hashes.slice(at, at + HASHES_AT_ONCE);
        const calls = some.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
        const reads = (await askAll(calls)).map((receipts) => receipts.map(readTransfers));
        for (const [index, transfers] of agree('a receipt', reads).entries()) {
          if (transfers !== null) found.set(some[index] ?? '', transfers);
        }
      }
      return found;
    },
  };
}

/** In the order of the chain, each with the block that holds it, so that lists can be compared. */
function readLogs(logs: unknown): { readonly move: TokenMove; readonly blockHash: string }[] {
  if (!Array.isArray(logs)) throw new UnusableInput('a provider lists no logs');
  return logs
    .map((log: unknown) => {
      const topics = (log as { readonly topics?: readonly unknown[] } | null)?.topics ?? [];
      const move = readMove(log, topics);
      const blockHash = textField(log, 'blockHash');
      return { move, blockHash, index: quantity(textField(log, 'logIndex')) };
    })
    .toSorted((one, other) => Number(one.move.block - other.move.block || one.index - other.index));
}

/** Null for what is in no block. Events of another form are no transfers. */
function readTransfers(receipt: unknown): readonly PlacedTransfer[] | null {
  if (receipt === null) return null;
  const { logs } = receipt as { readonly logs?: unknown };
  if (!Array.isArray(logs)) throw new UnusableInput('a provider lists no logs');
  return logs.flatMap((log: unknown, ordinal) => {
    const { topics } = log as { readonly topics?: readonly unknown[] };
    if (topics?.length !== 3 || topics[0] !== TRANSFER) return [];
    const blockHash = textField(log, 'blockHash');
    return [{ ordinal, blockHash, ...withoutHash(readMove(log, topics)) }];
  });
}

const withoutHash = ({ hash: _hash, ...move }: TokenMove): Omit<TokenMove, 'hash'> => move;

function readMove(log: unknown, topics: readonly unknown[]): TokenMove {
  return {
    hash: textField(log, 'transactionHash'),
    block: quantity(textField(log, 'blockNumber')),
    contract: textField(log, 'address'),
    from: addressIn(topics[1]),
    to: addressIn(topics[2]),
    amount: quantity(textField(log, 'data')),
  };
}

/** Null for what is in no block. */
function readCall(found: unknown): MinedCall | null {
  const { blockNumber = null, to = null } = (found ?? {}) as {
    readonly blockNumber?: unknown;
    readonly to?: unknown;
  };
  if (blockNumber === null) return null;
  return {
    from: textField(found, 'from'),
    nonce: quantity(textField(found, 'nonce')),
    block: quantity(blockNumber),
    to: to === null ? null : textField(found, 'to'),
    value: quantity(textField(found, 'value')),
    input: textField(found, 'input'),
  };
}

function textField(object: unknown, name: string): string {
  const value = (object as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value !== 'string') throw new UnusableInput(`a provider left out ${name}`);
  return value.toLowerCase();
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/.test(value)) {
    throw new UnusableInput('a provider tells no number');
  }
  return BigInt(value);
}

function addressIn(topic: unknown): string {
  if (typeof topic !== 'string' || !/^0x0{24}[0-9a-fA-F]{40}$/.test(topic)) {
    throw new UnusableInput('a provider tells no address');
  }
  return `0x${topic.slice(26).toLowerCase()}`;
}

const hex = (number: bigint): string => `0x${number.toString(16)}`;

const least = (numbers: readonly bigint[]): bigint =>
  numbers.reduce((low, number) => (number < low ? number : low));

const writeBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
