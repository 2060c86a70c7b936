import { beforeAll, describe, expect, it } from 'vitest';
import {
  playDust,
  type DustFigures,
  type DustPart,
} from '../../support/onchain/simulation/play-dust.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const SEED = seedOf(30);
const MINUTE_MS = 60_000;
const QUIET_MS = sizeOf(3, 15) * MINUTE_MS;
/** Longer than blocks take to be final: what is final is read again. */
const ATTACK_MS = sizeOf(23, 60) * MINUTE_MS;
const PATIENCE_MS = 3_600_000;
/** What a process of this size keeps of one time or another. */
const HEAP_MORE_MAX_MIB = 24;

const ATTACKS = [
  { name: '10,000 addresses', addresses: 10_000, isListed: false },
  { name: 'one address', addresses: 1, isListed: false },
  { name: '10,000 addresses, from listed senders', addresses: 10_000, isListed: true },
].slice(sizeOf(2, 0));

const costOf = ({ items, processorMs, databaseMs }: DustPart, lastsMs: number) => ({
  itemsAnHour: Math.round((items * 60 * MINUTE_MS) / lastsMs),
  processorMsAnHour: Math.round((processorMs * 60 * MINUTE_MS) / lastsMs),
  databaseMsAnHour: Math.round((databaseMs * 60 * MINUTE_MS) / lastsMs),
});

describe.each(ATTACKS)(
  `20 transfers of dust a second to $name: seed ${String(SEED)}`,
  ({ name, addresses, isListed }) => {
    let figures: DustFigures;
    beforeAll(async () => {
      const attack = { addresses, isListed, quietMs: QUIET_MS, attackMs: ATTACK_MS };
      figures = await playDust(SEED, attack);
      const { gas, quiet, attack: attacked } = figures;
      console.log(
        JSON.stringify({
          ...{ to: name, dust: figures.dust, gas: gas.toString(), heapMiB: figures.heapMiB },
          ...{ creditedDust: figures.creditedDust, alarms: figures.alarms },
          quiet: { ...quiet, ...costOf(quiet, QUIET_MS) },
          attack: { ...attacked, ...costOf(attacked, ATTACK_MS) },
        }),
      );
    }, PATIENCE_MS);

    it('leaves honest deposits credited within twice the quiet time', () => {
      expect(figures.quiet.notCredited).toBe(0);
      expect(figures.quiet.honest).toBeGreaterThan(QUIET_MS / 15_000);
      expect(figures.attack.notCredited).toBe(0);
      expect(figures.attack.worstMs).toBeLessThanOrEqual(2 * figures.quiet.worstMs);
    });

    it('leaves the memory that is used as it is', () => {
      const [before, after] = figures.heapMiB;
      expect(after - before).toBeLessThanOrEqual(HEAP_MORE_MAX_MIB);
    });
  },
);
