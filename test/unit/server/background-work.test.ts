import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackgroundWork } from '../../../src/server/temporal/background-work.ts';

const LIMITS = { running: 2, waiting: 3, failures: 3, restMs: 2_000 };

function createHarness() {
  let now = 0;
  const failures: string[] = [];
  const begun: string[] = [];
  const gates: { readonly open: () => void; readonly fail: () => void }[] = [];
  const background = createBackgroundWork({
    clock: { now: () => new Date(now) },
    onFailure: (name) => failures.push(name),
    limits: LIMITS,
  });
  return {
    begun,
    failures,
    gates,
    drained: () => background.drained(),
    passMs: (ms: number) => (now += ms),
    /** Runs work that lasts until the test opens its gate or makes it fail. */
    runGated: (name: string) => {
      background.run(name, () => {
        begun.push(name);
        return new Promise((resolve, reject) => {
          gates.push({
            open: resolve,
            fail: () => {
              reject(new Error('unavailable'));
            },
          });
        });
      });
    },
    runFailing: (name: string) => {
      background.run(name, () => {
        begun.push(name);
        return Promise.reject(new Error('unavailable'));
      });
    },
  };
}

describe('background work', () => {
  it('begins at most as many works as may run, and the next one when one of them ends', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b', 'c']) harness.runGated(name);
    expect(harness.begun).toEqual(['a', 'b']);
    harness.gates[0]?.open();
    await expect.poll(() => harness.begun).toEqual(['a', 'b', 'c']);
  });

  it('drops what comes while as many works wait as may wait', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'dropped']) harness.runGated(name);
    for (let index = 0; index < 5; index += 1) {
      await expect.poll(() => harness.gates.length).toBeGreaterThan(index);
      harness.gates[index]?.open();
    }
    await harness.drained();
    expect(harness.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('is drained only after the last waiting work has ended', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b', 'c']) harness.runGated(name);
    let isDrained = false;
    const drained = harness.drained().then(() => (isDrained = true));
    harness.gates[0]?.open();
    harness.gates[1]?.open();
    await expect.poll(() => harness.begun).toContain('c');
    expect(isDrained).toBe(false);
    harness.gates[2]?.open();
    await drained;
  });

  it('is drained at once where nothing runs', async () => {
    await createHarness().drained();
  });

  it('reports a failure, also of work that throws before its first wait', async () => {
    const failures: string[] = [];
    const background = createBackgroundWork({
      clock: { now: () => new Date(0) },
      onFailure: (name) => failures.push(name),
      limits: LIMITS,
    });
    background.run('throws', () => {
      throw new Error('at once');
    });
    await background.drained();
    expect(failures).toEqual(['throws']);
  });
});

describe('background work after too many failures in a row', () => {
  it('tries nothing until the rest is over, and then tries again', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b', 'c']) harness.runFailing(name);
    await harness.drained();
    harness.passMs(LIMITS.restMs - 1);
    harness.runFailing('during the rest');
    harness.passMs(1);
    harness.runFailing('after the rest');
    await harness.drained();
    expect(harness.begun).toEqual(['a', 'b', 'c', 'after the rest']);
    expect(harness.failures).toEqual(harness.begun);
  });

  it('does not try what was already waiting when the rest began', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b', 'c', 'd', 'e']) harness.runFailing(name);
    await harness.drained();
    // Two run at the same time: the second may already have begun when the third failure counts.
    expect(harness.begun).not.toContain('e');
  });

  it('counts a success as the end of the row', async () => {
    const harness = createHarness();
    for (const name of ['a', 'b']) harness.runFailing(name);
    await harness.drained();
    harness.runGated('succeeds');
    harness.gates[0]?.open();
    await harness.drained();
    for (const name of ['c', 'd']) harness.runFailing(name);
    await harness.drained();
    harness.runFailing('e');
    expect(harness.begun).toContain('e');
  });
});

describe('background work that gives way to requests', () => {
  const GIVE_WAY = { requests: 2, quietMs: 5, everyMs: 5, longestMs: 3_000 };

  function createBurst({ isOn = true, everyMs = GIVE_WAY.everyMs } = {}) {
    let now = 0;
    const begun: string[] = [];
    const background = createBackgroundWork({
      clock: { now: () => new Date(now) },
      onFailure: (name) => begun.push(`failed ${name}`),
      limits: { ...LIMITS, running: 1 },
      giveWay: { ...GIVE_WAY, everyMs, isOn: () => isOn },
    });
    const answers: (() => void)[] = [];
    return {
      begun,
      passMs: (ms: number) => (now += ms),
      request: () => background.ahead(() => new Promise<void>((resolve) => answers.push(resolve))),
      answerAll: () => {
        for (const answer of answers) answer();
      },
      run: (name: string) => {
        background.run(name, () => {
          begun.push(name);
          return Promise.resolve();
        });
      },
      drained: () => background.drained(),
    };
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets the time between two looks pass ten times. */
  const looks = () => vi.advanceTimersByTimeAsync(10 * GIVE_WAY.everyMs);

  it('begins one at a time during a burst, and all in order once the burst is over', async () => {
    const burst = createBurst();
    const requests = [burst.request(), burst.request()];
    for (const name of ['a', 'b', 'c', 'd']) burst.run(name);
    await looks();
    expect(burst.begun).toEqual(['a']);
    burst.passMs(GIVE_WAY.everyMs);
    await looks();
    expect(burst.begun).toEqual(['a', 'b']);
    burst.answerAll();
    await Promise.all(requests);
    burst.passMs(GIVE_WAY.quietMs);
    await looks();
    await burst.drained();
    expect(burst.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('holds back in a burst that goes on only what is younger than the limit', async () => {
    const burst = createBurst({ everyMs: 10 * GIVE_WAY.longestMs });
    void burst.request();
    void burst.request();
    burst.run('at once');
    burst.run('old');
    burst.passMs(GIVE_WAY.longestMs - 1);
    burst.run('young');
    await looks();
    expect(burst.begun).toEqual(['at once']);
    burst.passMs(1);
    burst.run('younger');
    await looks();
    expect(burst.begun).toEqual(['at once', 'old']);
  });

  it('holds nothing back for fewer requests, nor in a process that does not settle', async () => {
    const lone = createBurst();
    void lone.request();
    lone.run('a');
    lone.run('b');
    await looks();
    expect(lone.begun).toEqual(['a', 'b']);
    const apart = createBurst({ isOn: false });
    void apart.request();
    void apart.request();
    apart.run('b');
    apart.run('c');
    await looks();
    expect(apart.begun).toEqual(['b', 'c']);
  });

  it('hands a request its answer or its error', async () => {
    const background = createBackgroundWork({
      clock: { now: () => new Date(0) },
      onFailure: () => undefined,
      limits: LIMITS,
    });
    await expect(background.ahead(() => Promise.resolve('answer'))).resolves.toBe('answer');
    const refused = background.ahead(() => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
  });
});
