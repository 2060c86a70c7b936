/** An address that has not changed for this long is read once a day instead of in every poll cycle. In ms. */
export const IDLE_AFTER_MS = 30 * 24 * 3_600_000;
