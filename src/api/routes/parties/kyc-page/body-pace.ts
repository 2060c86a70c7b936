import { PageRefusal } from '../../../../web/kit/page-refusal.ts';

/** How slow a body may be: any pace for the first seconds, then this average. */
export interface Pace {
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** A bad line of a phone is faster. */
export const UPLOAD_PACE: Pace = { graceMs: 10_000, bytesPerSecond: 16_384 };

export interface BodyPace {
  received(bytes: number): void;
  /** Waits for what the sender sends next. Throws PageRefusal (408) once it is too slow. */
  wait<Result>(next: Promise<Result>): Promise<Result>;
}

/** Counts the time that we wait for a sender, and none that the sender waits for us. */
export function createBodyPace({ graceMs, bytesPerSecond }: Pace): BodyPace {
  let bytes = 0;
  let waitedMs = 0;
  const leftMs = () => Math.max(graceMs, (bytes / bytesPerSecond) * 1_000) - waitedMs;
  return {
    received(count) {
      bytes += count;
    },
    async wait<Result>(next: Promise<Result>): Promise<Result> {
      let timer: NodeJS.Timeout | undefined;
      let since = performance.now();
      const count = () => {
        const now = performance.now();
        waitedMs += now - since;
        since = now;
      };
      const late = new Promise<never>((_resolve, reject) => {
        const look = () => {
          count();
          const left = leftMs();
          if (left > 0) timer = setTimeout(look, left);
          else reject(tooSlow());
        };
        timer = setTimeout(look, Math.max(0, leftMs()));
      });
      try {
        return await Promise.race([next, late]);
      } finally {
        clearTimeout(timer);
        count();
      }
    },
  };
}

const tooSlow = () =>
  new PageRefusal(
    408,
    'This takes too long',
    'Send one file at a time, over a better connection.',
    {
      connection: 'close',
    },
  );
