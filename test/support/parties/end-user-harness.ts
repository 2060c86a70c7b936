import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { createPaymentHarness, type PaymentHarness } from '../payment-harness.ts';

export const MERGE_PATCH = 'application/merge-patch+json';

export interface EndUserHarness extends PaymentHarness {
  /** A new end-user: ETag, id and the rest of the answer. */
  create(order: object): Promise<{ readonly id: string; readonly version: number }>;
  patch(
    id: string,
    patch: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  shut(id: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  read(id: string): Promise<LightMyRequestResponse>;
  /** The events of a resource as "<version> <type>". */
  events(id: string): Promise<string[]>;
}

/** The HTTP surface with a customer whose end-users can be changed. */
export async function createEndUserHarness(): Promise<EndUserHarness> {
  const harness = await createPaymentHarness();
  const call = (
    options: InjectOptions & { readonly url: string },
  ): Promise<LightMyRequestResponse> =>
    harness.app.inject({
      ...options,
      url: `/api/v1/end-users${options.url}`,
      headers: { ...harness.headers, ...options.headers },
    });
  return {
    ...harness,
    create: async (payload) => (await call({ method: 'POST', url: '', payload })).json(),
    patch: (id, patch, headers = {}) =>
      call({
        method: 'PATCH',
        url: `/${id}`,
        headers: { 'content-type': MERGE_PATCH, ...headers },
        payload: typeof patch === 'string' ? patch : JSON.stringify(patch),
      }),
    shut: (id, headers = {}) => call({ method: 'DELETE', url: `/${id}`, headers }),
    read: (id) => call({ url: `/${id}` }),
    async events(id) {
      const rows = await harness.rows<{ type: string; version: number }>(
        `SELECT type, resource_version AS version FROM events
         WHERE resource_id = $1 ORDER BY resource_version`,
        [id],
      );
      return rows.map(({ type, version }) => `${String(version)} ${type}`);
    },
  };
}
