import { numberParameters } from '../../../src/db/client/named-parameters.ts';
import type { ScopedTransaction, SystemTransaction } from '../../../src/db/client/database.ts';
import { standIn } from './stand-in.ts';

/** A function of a store, as it is called with a transaction. */
export type StoreFunction = (
  tx: ScopedTransaction & SystemTransaction,
  ...given: never[]
) => unknown;

/** A function that asks in a loop is stopped here. */
const STATEMENTS_MAX = 6;
const PARAMETERS = 8;

/**
 * The statements that a store function sends, with `$1` for their values. What is not `given` is a stand-in, and so is
 * each row of an answer.
 */
export async function statementsOf(
  ask: StoreFunction,
  given: readonly unknown[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  const query = (text: string): Promise<never> => {
    texts.push(text.includes('$1') ? text : numberParameters(text).text);
    if (texts.length >= STATEMENTS_MAX) throw new Error('enough statements');
    return Promise.resolve([standIn()] as never);
  };
  const tx = { query, afterCommit: () => undefined } as unknown as Parameters<StoreFunction>[0];
  const standIns = Array.from({ length: PARAMETERS - given.length }, standIn);
  try {
    await ask(tx, ...([...given, ...standIns] as never[]));
  } catch (error) {
    // What it does with the stand-ins' rows says nothing.
    if (texts.length === 0) throw error;
  }
  return texts;
}
