import { beforeEach, describe, expect, it } from 'vitest';
import {
  ASK_AGAIN_MS,
  createSlowTurns,
  SLOW_DRAINS_PER_SCOPE,
  type SlowTurn,
  type SlowTurns,
} from '../../../src/modules/webhooks/slow-turns.ts';

const SCOPE = { customerId: 'cus_1', environment: 'test' } as const;

let nowMs = 0;
let turns: SlowTurns;
beforeEach(() => {
  nowMs = 0;
  turns = createSlowTurns({ clock: { now: () => new Date(nowMs) } });
});

const take = (endpointId: string) => turns.take(SCOPE, endpointId);
function fill(): SlowTurn[] {
  const names = Array.from(
    { length: SLOW_DRAINS_PER_SCOPE },
    (_, at) => `whe_running_${String(at)}`,
  );
  return names.map((name) => take(name)).filter((turn) => turn !== null);
}

describe('turns of slow drains', () => {
  it('are so many for one customer and environment, and others have their own', () => {
    expect(fill()).toHaveLength(SLOW_DRAINS_PER_SCOPE);
    expect(take('whe_more')).toBeNull();
    expect(turns.take({ ...SCOPE, environment: 'live' }, 'whe_live')).not.toBeNull();
    expect(turns.take({ ...SCOPE, customerId: 'cus_2' }, 'whe_other')).not.toBeNull();
  });

  it('go to those that wait in the order in which they came, however often the others ask', () => {
    const running = fill();
    expect([take('whe_a'), take('whe_b')]).toEqual([null, null]);
    running[0]?.end();
    expect([take('whe_b'), take('whe_c')]).toEqual([null, null]);
    expect(take('whe_a')).not.toBeNull();
    running[1]?.end();
    expect(take('whe_c')).toBeNull();
    expect(take('whe_b')).not.toBeNull();
  });

  it('are not kept for an endpoint that asks no more', () => {
    const running = fill();
    expect(take('whe_gone')).toBeNull();
    expect(running[0]?.isWanted()).toBe(true);
    nowMs = 4 * ASK_AGAIN_MS;
    running[0]?.end();
    expect(take('whe_next')).not.toBeNull();
    expect(running[1]?.isWanted()).toBe(false);
  });

  it('all come to each of twenty endpoints that are always due', () => {
    const served = new Map<string, number>();
    const names = Array.from({ length: 20 }, (_, at) => `whe_${String(at)}`);
    let running: SlowTurn[] = [];
    for (let round = 0; round < 70; round += 1) {
      nowMs += ASK_AGAIN_MS;
      for (const turn of running) turn.end();
      running = [];
      for (const name of names) {
        const turn = take(name);
        if (turn === null) continue;
        running.push(turn);
        served.set(name, (served.get(name) ?? 0) + 1);
      }
    }
    expect(served.size).toBe(20);
    expect(Math.min(...served.values())).toBeGreaterThanOrEqual(10);
  });
});
