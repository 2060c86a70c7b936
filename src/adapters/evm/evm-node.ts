import type { BlockHeader } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { toQuantity } from './hex.ts';
import type { JsonRpc, RpcAnswer, RpcCall } from './json-rpc.ts';
import { readBlock } from './read-block.ts';

/** One node, whose answers are judged one by one. Both methods throw ChainUnreadable with its number. */
export interface EvmNode {
  /** Reads the results of all calls; an error in place of one is thrown. */
  read<Read>(calls: readonly RpcCall[], read: (results: readonly unknown[]) => Read): Promise<Read>;
  /** For calls of which an error is an answer too. */
  judge<Read>(
    calls: readonly RpcCall[],
    judge: (answers: readonly RpcAnswer[]) => Read,
  ): Promise<Read>;
  /**
   * Reads the result of each call, by its place, in as few requests as the node takes; in the place of one that cannot
   * be read is why. Never throws ChainUnreadable.
   */
  readEach<Read>(
    calls: readonly RpcCall[],
    read: (result: unknown, place: number) => Read,
  ): Promise<(Read | ChainUnreadable)[]>;
  /** That it cannot be read, for a reason of the reader's own. */
  unreadable(why: string): ChainUnreadable;
}

/** At least one; two where money depends on it. */
export type EvmNodes = readonly [EvmNode, ...EvmNode[]];

/** What a busy node, or one behind a balancer, says once and not again: it is asked once more. */
const PASSING = /^(?:HTTP_5\d\d|RESET|NO_ANSWER)$/;

const isPassing = (answer: { readonly kind: string; readonly why?: string } | undefined): boolean =>
  answer?.kind === 'SILENCE' && PASSING.test(answer.why ?? '');

/** The node behind a client. `place` counts from 1 and stands in its codes: `NODE_1_TIMEOUT`. */
export function createEvmNode(rpc: JsonRpc, place: number): EvmNode {
  const unreadable = (why: string) => new ChainUnreadable(`NODE_${place}_${why}`);

  async function judge<Read>(
    calls: readonly RpcCall[],
    judgeAnswers: (answers: readonly RpcAnswer[]) => Read,
  ): Promise<Read> {
    const first = await rpc.ask(calls);
    const outcome = isPassing(first) ? await rpc.ask(calls) : first;
    if (outcome.kind === 'SILENCE') throw unreadable(outcome.why);
    try {
      return judgeAnswers(outcome.answers);
    } catch (error) {
      throw error instanceof ChainUnreadable ? unreadable(error.why) : error;
    }
  }

  return {
    judge,
    unreadable,
    read: (calls, read) => judge(calls, (answers) => read(answers.map(resultOf))),
    async readEach(calls, read) {
      const first = await rpc.askEach(calls);
      const open = calls.filter((_, index) => isPassing(first[index]));
      const second = (await rpc.askEach(open)).values();
      return first.map((one, index) => {
        const answer = isPassing(one) ? (second.next().value ?? one) : one;
        if (answer.kind === 'SILENCE') return unreadable(answer.why);
        try {
          return read(resultOf(answer), index);
        } catch (error) {
          if (!(error instanceof ChainUnreadable)) throw error;
          return unreadable(error.why);
        }
      });
    },
  };
}

/** The result; throws ChainUnreadable for an error. */
export function resultOf(answer: RpcAnswer): unknown {
  if (answer.kind === 'ERROR') throw new ChainUnreadable(`ERROR_${answer.code}`);
  return answer.value;
}

/** What each node says, in their order; throws for the first that says nothing. */
export function askEach<Read>(
  nodes: EvmNodes,
  ask: (node: EvmNode) => Promise<Read>,
): Promise<Read[]> {
  return Promise.all(nodes.map(ask));
}

/** What all nodes say alike. Throws ChainUnreadable where one says something else. */
export async function agree<Read>(
  nodes: EvmNodes,
  ask: (node: EvmNode) => Promise<Read>,
): Promise<Read> {
  const [first, ...others] = await Promise.all(nodes.map(ask) as [Promise<Read>]);
  if (!others.every((other) => isSame(first, other))) throw new ChainUnreadable('NODES_DIFFER');
  return first;
}

/** The same of each call: in the place of what not all say alike is why. */
export async function agreeEach<Read>(
  nodes: EvmNodes,
  calls: readonly RpcCall[],
  read: (result: unknown, place: number) => Read,
): Promise<(Read | ChainUnreadable)[]> {
  const said = await Promise.all(nodes.map((node) => node.readEach(calls, read)));
  return calls.map((_, place) => sameOf(said.map((one) => one[place] as Read | ChainUnreadable)));
}

/** What all readings are; why not, where one could not be read or is another one. */
export function sameOf<Read>(
  readings: readonly (Read | ChainUnreadable)[],
  isAlike: (one: Read, other: Read) => boolean = isSame,
): Read | ChainUnreadable {
  const unread = readings.find((one) => one instanceof ChainUnreadable);
  if (unread !== undefined) return unread;
  const [first, ...others] = readings as [Read, ...Read[]];
  return others.every((other) => isAlike(first, other))
    ? first
    : new ChainUnreadable('NODES_DIFFER');
}

/** Whether two nodes' readings are the same: readers write fields in one order. */
export function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  const plain = (_key: string, inner: unknown): unknown =>
    typeof inner === 'bigint' ? inner.toString() : inner;
  return JSON.stringify({ value }, plain);
}

/** Asks for a block without its transactions. */
export function blockCall(number: bigint): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toQuantity(number), false] };
}

/** Reads the answer to `blockCall`; throws ChainUnreadable for a block of another number. */
export function readBlockAt(value: unknown, number: bigint): BlockHeader | null {
  const block = readBlock(value);
  if (block !== null && block.number !== number) throw new ChainUnreadable('GARBAGE');
  return block;
}
