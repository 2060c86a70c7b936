/** Lets many read a chain at once, and one change it while none reads. */
export interface ChainGate {
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for those who read and for earlier acts; those who want to read wait for it. */
  act<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createChainGate(): ChainGate {
  let acting: Promise<unknown> = Promise.resolve();
  const readings = new Set<Promise<unknown>>();
  return {
    async read(work) {
      for (let seen: Promise<unknown> | null = null; seen !== acting;) {
        seen = acting;
        await seen;
      }
      const reading = work();
      readings.add(reading);
      try {
        return await reading;
      } finally {
        readings.delete(reading);
      }
    },
    act(work) {
      const done = acting.then(async () => {
        await Promise.allSettled(readings);
        return work();
      });
      acting = done.catch(() => undefined);
      return done;
    },
  };
}
