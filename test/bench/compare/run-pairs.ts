import type { Figure } from '../figure.ts';

/**
 * Runs each side so many times, in turn: a machine that grows slower or faster meanwhile does so to
 * both. Every other pair runs the other way round. Answers the runs of each side in the order of pairs.
 */
export async function runPairs(
  sides: readonly ((pair: number) => Promise<readonly Figure[]>)[],
  pairs: number,
): Promise<(readonly Figure[])[][]> {
  const runs: (readonly Figure[])[][] = sides.map(() => []);
  for (let pair = 0; pair < pairs; pair += 1) {
    const order = sides.map((measure, side) => ({ measure, side }));
    if (pair % 2 === 1) order.reverse();
    for (const { measure, side } of order) runs[side]?.push(await measure(pair));
  }
  return runs;
}
