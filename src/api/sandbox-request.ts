import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { newId } from '../db/client/new-id.ts';
import { Refusal, refuseField } from '../domain/errors/refusal.ts';
import type { IdPrefix } from '../domain/ids.ts';
import type { ControlRefusal } from '../domain/sandbox/bank-control.ts';
import type { Scope } from '../domain/scope.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

/** Throws 404 for a live key: in live there is no sandbox, and no route to one. */
export function requireTestKey({ environment }: Scope): void {
  if (environment !== 'test')
    throw new Refusal('not_found', 'The resource does not exist with a live key. Use a test key.');
}

/** The id of an order to the sandbox: of a request with a key always the same, and no other caller's. */
export function sandboxOrderId(request: FastifyRequest, prefix: IdPrefix): string {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return newId(prefix);
  const { customerId, environment } = request.scope;
  const hash = createHash('sha256').update(`${customerId}/${environment}/${key}`).digest('hex');
  return `${prefix}_${hash.slice(0, 40)}`;
}

/** What a partner reads where the sandbox's bank or KYC provider is not one. */
export const noSandbox = (whose: 'bank' | 'KYC provider'): Refusal =>
  new Refusal('sandbox_unavailable', `The ${whose} of this test environment is not a sandbox.`);

/** What a partner reads where the control API refused an order; `told` says what is particular to the order. */
export function controlRefusal(
  refusal: ControlRefusal,
  whose: 'bank' | 'KYC provider',
  told: Partial<Readonly<Record<ControlRefusal, Refusal>>> = {},
): Refusal {
  const particular = told[refusal];
  if (particular !== undefined) return particular;
  if (refusal === 'NO_CONTROL_API') return noSandbox(whose);
  return new Refusal(
    'service_unavailable',
    `The ${whose} of the sandbox did not answer. Try again.`,
  );
}

/** A move that the sandbox cannot make, with the field that asked for it. */
export const moveNotPossible = (path: string, message: string): Refusal =>
  refuseField('move_not_possible', path, message);
