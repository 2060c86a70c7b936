import { play } from './play.ts';
import { openSimulatedSigner, type SimulatedSigner } from './simulated-signer.ts';

/** After how many blocks single payments were mined: as many below as above, and the worst of them. */
interface Blocks {
  readonly median: number;
  readonly worst: number;
}

export interface TurnFigures {
  readonly quiet: Blocks;
  /** Right after another customer's many were accepted. */
  readonly behindMany: Blocks;
  /** While no more of the other customer's may be not final. */
  readonly atLimit: Blocks;
  /** How many of them were not final then. */
  readonly notFinal: number;
  readonly paidTwice: number;
}

/** Of a payment that is in no block after so many, nothing more is waited for. */
const BLOCKS_MAX = 40;
/** Enough that a provider that was silent now and then is not what is measured. */
const SINGLES = 9;
const BETWEEN_MS = 11_300;
/** The other customer's are at their limit where no more of them get a nonce for so long. */
const STILL_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
const AMOUNT = 1_000_000n;
const PAYING_AT_ONCE = 8;

/** One customer's single payments in quiet, then behind another customer's `many` small ones. */
export async function playTurns(seed: number, many: number): Promise<TurnFigures> {
  const signer = await openSimulatedSigner('BASE', seed, 2);
  const { network, payers } = signer;
  const { time } = network;
  const [single, other] = payers;
  if (single === undefined || other === undefined) throw new Error('there are no two customers');
  const firstBlock = network.head();
  const singles = async (): Promise<Blocks> => {
    const blocks: number[] = [];
    for (let one = 0; one < SINGLES; one += 1) {
      await time.sleep(BETWEEN_MS);
      blocks.push(await blocksUntilMined(signer));
    }
    blocks.sort((one, other) => one - other);
    return { median: blocks[(SINGLES - 1) / 2] ?? BLOCKS_MAX, worst: blocks.at(-1) ?? BLOCKS_MAX };
  };
  try {
    return await play(network, signer.poll, async () => {
      const quiet = await singles();
      const paying = Array.from({ length: PAYING_AT_ONCE }, async (_none, runner) => {
        for (let one = runner; one < many; one += PAYING_AT_ONCE) await other.send(AMOUNT);
      });
      await time.working(() => Promise.all(paying));
      const behindMany = await singles();
      const notFinal = await untilStill(signer);
      const atLimit = await singles();
      const all = await signer.mined(firstBlock);
      const paidTwice = all.length - new Set(all.map(({ to }) => to)).size;
      return { quiet, behindMany, atLimit, notFinal, paidTwice };
    });
  } finally {
    await signer.close();
  }
}

/** Pays one, and answers after how many blocks it is in one; BLOCKS_MAX where it is not by then. */
async function blocksUntilMined({ network, payers, mined }: SimulatedSigner): Promise<number> {
  const sent = await payers[0]?.send(AMOUNT);
  if (sent === undefined) throw new Error('there is no customer');
  const accepted = network.head();
  const to = sent.order.to.toLowerCase();
  while (network.head() < accepted + BLOCKS_MAX) {
    await network.time.sleep(network.pace.blockMs);
    const found = (await mined(accepted)).find((one) => one.to === to);
    if (found !== undefined) return found.block - accepted;
  }
  return BLOCKS_MAX;
}

/** Waits until the signer account takes no more nonces, and answers how many are not over then. */
async function untilStill({
  network: { time, pace },
  openNonces,
}: SimulatedSigner): Promise<number> {
  const until = time.now().getTime() + (pace.finalBlocksMax + 1) * pace.blockMs;
  let most = 0;
  let since = time.now().getTime();
  while (time.now().getTime() < until && time.now().getTime() < since + STILL_MS) {
    await time.sleep(LOOK_EVERY_MS);
    const open = await openNonces();
    if (open > most) since = time.now().getTime();
    most = Math.max(most, open);
  }
  return most;
}
