/**
 * An address that nothing is expected at and that has not changed for this long is counted once a day instead of being read
 * in every poll cycle. In ms.
 */
export const IDLE_AFTER_MS = 24 * 3_600_000;
