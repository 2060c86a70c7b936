const DAY_MS = 24n * 3_600_000n;

/**
 * How far a rate moves in a time, one standard deviation in whole basis points, rounded up: its move of a day, times
 * the square root of the time. Of no time, nothing. Throws RangeError for what is below zero.
 */
export function moveWithinBps(dailyMoveBps: number, ms: number): number {
  const square = BigInt(dailyMoveBps) ** 2n * BigInt(ms);
  return Number(rootUp(divideUp(square, DAY_MS)));
}

const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/** The least whole number whose square is not below `value`, by halving. */
function rootUp(value: bigint): bigint {
  if (value < 0n) throw new RangeError('a move in a time below zero');
  let below = -1n;
  let enough = value;
  while (enough - below > 1n) {
    const middle = (below + enough) / 2n;
    if (middle * middle >= value) enough = middle;
    else below = middle;
  }
  return enough;
}
