/**
 * Milliseconds of the machine's monotonic clock. On Linux every process reads the same one, so that
 * moments taken in different processes may be subtracted.
 */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
