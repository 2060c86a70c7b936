import type { Scope } from '../../domain/scope.ts';

/** Payments that share a transaction wait no longer than this for locks of others, in ms: then each goes alone. */
export const LOCK_WAIT_TOGETHER_MS = 1_000;

/** Work of one customer and environment may share a transaction, and no other. */
export const scopeBatchKey = ({ customerId, environment }: Scope): string =>
  `${customerId}/${environment}`;
