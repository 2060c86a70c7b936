import { setTimeout as pause } from 'node:timers/promises';

/** A step of the demonstration that did not hold. */
export class DemoFailure extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DemoFailure';
  }
}

/** Refuses to go on where something that must hold does not. */
export function mustHold(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new DemoFailure(otherwise);
}

const LOOK_EVERY_MS = 100;

/** Looks again and again until something is there, for so long at the most. */
export async function until<Found>(
  what: string,
  withinMs: number,
  look: () => Promise<Found | null>,
): Promise<Found> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) {
      throw new DemoFailure(`${what}: not within ${String(withinMs / 1000)} s`);
    }
    await pause(LOOK_EVERY_MS);
  }
}
