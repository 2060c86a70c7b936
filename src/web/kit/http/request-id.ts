import { ID_PREFIXES } from '../../../domain/ids.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { App } from './app-type.ts';

/** A new id for every request. One that the caller sends is not taken over: another caller may have sent the same. */
export function newRequestId(): string {
  return newId(ID_PREFIXES.request);
}

/** Puts the request's id on every answer. */
export function installRequestId(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}
