import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import {
  BLOCKS_MAX,
  type ListedTransfer,
  type TransferListing,
  type TransferQuery,
} from '../../domain/onchain/transfer-logs.ts';
import { askEach, resultOf, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readList, readObject, readQuantity, toQuantity } from './hex.ts';
import { readLog, TRANSFER_TOPIC, type PlacedLog } from './read-receipt.ts';

/** Addresses of one question: nodes bound the length of a filter. */
const ADDRESSES_MAX = 500;

/**
 * Of more addresses than that, all transfers of so few blocks are asked for, and matched here: the answer to one question is
 * less than so many questions are.
 */
const MATCHED_FROM = 2 * ADDRESSES_MAX;
const MATCHED_BLOCKS = 20n;

/** Questions to one node at a time. */
const TOGETHER = 4;

/** Questions to one node for one range: what is refused is asked for again in halves. */
const QUESTIONS_MAX = 100;

/** Codes of the client that say: too much at once. Whatever a node itself refuses may be that too. */
const TOO_MUCH = /_(?:TOO_LARGE|HTTP_400|HTTP_413)$/;

interface Question extends TransferQuery {
  /** In lower case. */
  readonly wanted: { readonly contracts: Set<string>; readonly addresses: Set<string> };
  /** Whether the transfers of all addresses are asked for. */
  readonly isOfAll: boolean;
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
  if (from < 0n || to < from || to - from >= BLOCKS_MAX) {
    throw new RangeError('no range of blocks, or too many of them');
  }
  // To a node no address at all means every address.
  if (addresses.length === 0 || query.contracts.length === 0) return { byAll: [], bySome: [] };

  const wanted = { contracts: toSet(query.contracts), addresses: toSet(addresses) };
  const lists = await askEach(nodes, (node) => listOf(node, { ...query, wanted, isOfAll: false }));
  const seen = new Map<string, { transfer: ListedTransfer; times: number }>();
  for (const list of lists) {
    for (const [key, transfer] of list) {
      seen.set(key, { transfer, times: (seen.get(key)?.times ?? 0) + 1 });
    }
  }
  const inOrder = [...seen.values()].sort((one, other) => compare(one.transfer, other.transfer));
  const pick = (isWanted: (times: number) => boolean): ListedTransfer[] =>
    inOrder.flatMap(({ transfer, times }) => (isWanted(times) ? [transfer] : []));
  return {
    byAll: pick((times) => times === nodes.length),
    bySome: pick((times) => times < nodes.length),
  };
}

/** One node's transfers, each under a text that is the same at every node. */
async function listOf(node: EvmNode, query: Question): Promise<Map<string, ListedTransfer>> {
  const { addresses, from, to } = query;
  if (addresses.length > MATCHED_FROM && to - from < MATCHED_BLOCKS) {
    try {
      return await listPart(node, { ...query, isOfAll: true });
    } catch (error) {
      if (!(error instanceof ChainUnreadable) || error.why !== REFUSED) throw error;
    }
  }
  const parts: Question[] = [];
  for (let at = 0; at < addresses.length; at += ADDRESSES_MAX) {
    parts.push({ ...query, addresses: addresses.slice(at, at + ADDRESSES_MAX) });
  }
  const found = new Map<string, ListedTransfer>();
  for (let at = 0; at < parts.length; at += TOGETHER) {
    const some = parts.slice(at, at + TOGETHER).map((part) => listPart(node, part));
    for (const transfers of await Promise.all(some)) {
      for (const [key, transfer] of transfers) found.set(key, transfer);
    }
  }
  return found;
}

const REFUSED = 'RANGE_REFUSED';

async function listPart(node: EvmNode, query: Question): Promise<Map<string, ListedTransfer>> {
  const found = new Map<string, ListedTransfer>();
  const open = [{ from: query.from, to: query.to }];
  let questions = 0;
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    questions += 1;
    if (questions > QUESTIONS_MAX) throw new ChainUnreadable(REFUSED);
    const transfers = await askRange(node, { ...query, ...range });
    if (transfers === 'REFUSED') {
      if (range.from === range.to) throw new ChainUnreadable(REFUSED);
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

async function askRange(node: EvmNode, query: Question): Promise<ListedTransfer[] | 'REFUSED'> {
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
      const listed = readList(logs.value);
      const asked = query.isOfAll ? listed.filter((log) => isOfWanted(log, query)) : listed;
      return asked.map((log) => readListed(log, query));
    });
  } catch (error) {
    if (error instanceof ChainUnreadable && TOO_MUCH.test(error.why)) return 'REFUSED';
    throw error;
  }
}

/** Whether a log is of an address that is wanted, by its text alone: most of them are not. */
function isOfWanted(log: unknown, { wanted, direction }: Question): boolean {
  const topic = readList(readObject(log)['topics'])[direction === 'TO' ? 2 : 1];
  return typeof topic === 'string' && wanted.addresses.has(`0x${topic.slice(26).toLowerCase()}`);
}

function toFilter({ contracts, direction, addresses, from, to, isOfAll }: Question) {
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  if (isOfAll) return { address: contracts, topics: [TRANSFER_TOPIC], ...range };
  const parties = addresses.map(
    (address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
  );
  return {
    address: contracts,
    topics: direction === 'TO' ? [TRANSFER_TOPIC, null, parties] : [TRANSFER_TOPIC, parties],
    ...range,
  };
}

/** Throws ChainUnreadable for a log that the question does not cover. */
function readListed(value: unknown, query: Question): ListedTransfer {
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

function compare(one: ListedTransfer, other: ListedTransfer): number {
  const distance = one.block.number - other.block.number || one.logIndex - other.logIndex;
  return distance < 0n ? -1 : distance > 0n ? 1 : 0;
}
