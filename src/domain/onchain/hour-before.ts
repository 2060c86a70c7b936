const HOUR_MS = 3_600_000;

/** From when on what was signed counts at `now`: the caps of signers are of one hour. */
export const hourBefore = (now: Date): Date => new Date(now.getTime() - HOUR_MS);
