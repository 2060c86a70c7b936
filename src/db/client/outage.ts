/** Failures of the network below a connection. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Classes and codes of PostgreSQL (appendix A of its manual) after which the same request may well
 * succeed: 08 connection, 53 resources, 57P0x shutdown, 25006 a standby, 25P03 idle too long, 40001
 * and 40P01 conflict, 55P03 lock timeout, 57014 statement timeout.
 */
const SQLSTATE = /^(08...|53...|57P0.|25006|25P03|40001|40P01|55P03|57014)$/;

/** How the messages of the errors begin that pg and pg-pool raise without a code. */
const DRIVER_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** Is it the database that cannot serve now, rather than a fault of ours? */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || SQLSTATE.test(code))) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseOutage);
  return DRIVER_MESSAGES.some((message) => error.message.startsWith(message));
}

/** 22 data, 23 integrity, P0 what a guard of ours raises: about the rows of one statement, as long as that stays as it is. */
const REFUSAL = /^(22|23|P0)[0-9A-Z]{3}$/;

/** The SQLSTATE with which the database refused what it was given; null for every other error. */
export function refusalCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && REFUSAL.test(error.code) ? error.code : null;
}

/** A list took longer than it may. */
export class SlowList extends Error {
  constructor(options: ErrorOptions) {
    super('a list took too long', options);
    this.name = 'SlowList';
  }
}

/** Did PostgreSQL end a statement because its time was over (or an operator wanted it to)? */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/** A change that must be alone in its scope, or alone of its kind there, was not, in the time that it may take. */
export class ScopeBusy extends Error {
  constructor(options: ErrorOptions) {
    super('writes of the scope do not end', options);
    this.name = 'ScopeBusy';
  }
}

/** Did a lock take longer than the transaction waits for one? */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
