import type { Database } from '../../../../db/client/database.ts';
import {
  findEndpoint,
  type WebhookEndpointRow,
} from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../domain/scope.ts';

/** The endpoint that a path names, before anything of its form is judged. Refuses with not_found. */
export const requireEndpoint = (
  db: Database,
  scope: Scope,
  id: string,
): Promise<WebhookEndpointRow> =>
  db.read(scope, async (tx) => requireFound(await findEndpoint(tx, scope, id)));
