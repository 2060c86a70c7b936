import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import {
  ADDRESSES_MAX,
  BLOCKS_MAX,
  type ListedTransfer,
  type TransferListing,
  type TransferQuery,
} from '../../domain/onchain/transfer-logs.ts';
import { askEach, resultOf, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readList, readQuantity, toQuantity } from './hex.ts';
import { readLog, TRANSFER_TOPIC, type PlacedLog } from './read-receipt.ts';

/** Questions to one node for one range: what is refused is asked for again in halves. */
const QUESTIONS_MAX = 100;

/** Codes of the client that say: too much at once. Whatever a node itself refuses may be that too. */
const TOO_MUCH = /_(?:TOO_LARGE|HTTP_400|HTTP_413)$/;

interface PlacedTransfer extends ListedTransfer {
  readonly logIndex: bigint;
}

interface Question extends TransferQuery {
  /** In lower case. */
  readonly wanted: { readonly contracts: Set<string>; readonly addresses: Set<string> };
}

/**
 * What the nodes list of a range. Each node answers for itself, so the caller sees what only some of
 * them list. Throws ChainUnreadable where a node has not got the range's last block, refuses a single
 * block, or lists what was not asked for; RangeError for a question over the bounds.
 */
export async function listTransfers(
  nodes: EvmNodes,
  query: TransferQuery,
): Promise<TransferListing> {
  const { addresses, from, to } = query;
  if (addresses.length > ADDRESSES_MAX) throw new RangeError('too many addresses at once');
  if (from < 0n || to < from || to - from >= BLOCKS_MAX) {
    throw new RangeError('no range of blocks, or too many of them');
  }
  // To a node no address at all means every address.
  if (addresses.length === 0 || query.contracts.length === 0) return { byAll: [], bySome: [] };

  const wanted = { contracts: toSet(query.contracts), addresses: toSet(addresses) };
  const lists = await askEach(nodes, (node) => listOf(node, { ...query, wanted }));
  const seen = new Map<string, { transfer: PlacedTransfer; times: number }>();
  for (const list of lists) {
    for (const [key, transfer] of list) {
      seen.set(key, { transfer, times: (seen.get(key)?.times ?? 0) + 1 });
    }
  }
  const inOrder = [...seen.values()].sort((one, other) => compare(one.transfer, other.transfer));
  const pick = (isWanted: (times: number) => boolean): ListedTransfer[] =>
    inOrder.flatMap(({ transfer: { logIndex: _, ...listed }, times }) =>
      isWanted(times) ? [listed] : [],
    );
  return {
    byAll: pick((times) => times === nodes.length),
    bySome: pick((times) => times < nodes.length),
  };
}

/** One node's transfers, each under a text that is the same at every node. */
async function listOf(node: EvmNode, query: Question): Promise<Map<string, PlacedTransfer>> {
  const found = new Map<string, PlacedTransfer>();
  const open = [{ from: query.from, to: query.to }];
  let questions = 0;
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    questions += 1;
    if (questions > QUESTIONS_MAX) throw new ChainUnreadable('RANGE_REFUSED');
    const transfers = await askRange(node, { ...query, ...range });
    if (transfers === 'REFUSED') {
      if (range.from === range.to) throw new ChainUnreadable('RANGE_REFUSED');
      const middle = (range.from + range.to) / 2n;
      open.push({ from: middle + 1n, to: range.to }, { from: range.from, to: middle });
      continue;
    }
    for (const transfer of transfers) {
      const { block, transactionHash, logIndex, contract, from, to, amount } = transfer;
      const key = [block.hash, transactionHash, logIndex, contract, from, to, amount].join(' ');
      found.set(key, transfer);
    }
  }
  return found;
}

async function askRange(node: EvmNode, query: Question): Promise<PlacedTransfer[] | 'REFUSED'> {
  const calls = [
    { method: 'eth_getLogs', params: [toFilter(query)] },
    { method: 'eth_blockNumber', params: [] },
  ];
  try {
    return await node.judge(calls, ([logs, head]) => {
      if (logs === undefined || head === undefined) throw new ChainUnreadable('GARBAGE');
      // A node that lags answers for the blocks that it has, and does not say so.
      if (readQuantity(resultOf(head)) < query.to) throw new ChainUnreadable('BEHIND');
      if (logs.kind === 'ERROR') return 'REFUSED';
      return readList(logs.value).map((log) => readListed(log, query));
    });
  } catch (error) {
    if (error instanceof ChainUnreadable && TOO_MUCH.test(error.why)) return 'REFUSED';
    throw error;
  }
}

function toFilter({ contracts, direction, addresses, from, to }: TransferQuery) {
  const parties = addresses.map(
    (address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
  );
  return {
    address: contracts,
    topics: direction === 'TO' ? [TRANSFER_TOPIC, null, parties] : [TRANSFER_TOPIC, parties],
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
  };
}

/** Throws ChainUnreadable for a log that the question does not cover. */
function readListed(value: unknown, query: Question): PlacedTransfer {
  const { transactionHash, block, logIndex, transfer }: PlacedLog = readLog(value);
  if (transfer === null) throw new ChainUnreadable('GARBAGE');
  const party = query.direction === 'TO' ? transfer.to : transfer.from;
  const isAskedFor =
    block.number >= query.from &&
    block.number <= query.to &&
    query.wanted.contracts.has(transfer.contract.toLowerCase()) &&
    query.wanted.addresses.has(party.toLowerCase());
  if (!isAskedFor) throw new ChainUnreadable('GARBAGE');
  return { transactionHash, block, logIndex, ...transfer };
}

function toSet(addresses: readonly string[]): Set<string> {
  return new Set(addresses.map((address) => address.toLowerCase()));
}

function compare(one: PlacedTransfer, other: PlacedTransfer): number {
  const distance = one.block.number - other.block.number || one.logIndex - other.logIndex;
  return distance < 0n ? -1 : distance > 0n ? 1 : 0;
}
