import { openApiClient, type ApiClient } from '../engine/api-client.ts';
import { addBeneficiary, type Beneficiary } from '../engine/beneficiary.ts';
import { apiKeysOf } from '../engine/customers.ts';
import type { Engine } from '../engine/engine.ts';
import type { RunScope } from '../scope.ts';

/** A client with a connection, a customer's key, and a beneficiary to pay. */
export interface Payer {
  readonly api: ApiClient;
  readonly to: Beneficiary;
}

/**
 * So many clients, spread over so many customers. Every customer subscribes `webhookUrl` to what
 * happens to its payments, before it pays.
 */
export async function openPayers(
  scope: RunScope,
  engine: Engine,
  wanted: { readonly clients: number; readonly customers: number; readonly webhookUrl: string },
): Promise<Payer[]> {
  const keys = await apiKeysOf(engine, wanted.customers);
  const clients = Array.from({ length: wanted.clients }, (_, nth) => {
    const api = openApiClient(engine.state.apiUrl, keys[nth % keys.length] ?? '');
    scope.defer(() => api.close());
    return api;
  });
  const firsts = clients.slice(0, keys.length);
  await Promise.all(firsts.map((api) => subscribe(api, wanted.webhookUrl, ['payment.*'])));
  return Promise.all(clients.map(async (api) => ({ api, to: await addBeneficiary(api) })));
}

/** Adds a webhook endpoint for some types of events. */
export async function subscribe(
  api: ApiClient,
  url: string,
  types: readonly string[],
): Promise<void> {
  await api.call('POST', '/webhook-endpoints', { url, types });
}
