/** Whether PostgreSQL gave up waiting for a lock: `lock_not_available`, 55P03. Nothing was changed. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';
