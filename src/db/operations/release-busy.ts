/** PostgreSQL's lock_not_available: the lock was not free within its time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether an act failed only because payments were being released all the while. */
export const isReleaseBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
