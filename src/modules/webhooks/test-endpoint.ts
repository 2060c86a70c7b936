import type { Database } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import { findEndpoint, type WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import { renderEnvelope, thinEnvelope } from '../../domain/webhooks/events/envelope.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { isSuccess, judgeAttempt } from '../../domain/webhooks/attempt.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { Vault } from '../../vault/vault.ts';
import { openEndpointKeys } from './endpoint-keys.ts';
import type { OpenWebhookClient } from './safe-fetch.ts';
import { pingEvent } from './samples/endpoint-samples.ts';
import { sampleEvent } from './samples/sample-event.ts';
import { urlPolicyFor } from './url-rules.ts';
import { createWebhookHeaders } from './webhook-headers.ts';

interface TestDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly openClient: OpenWebhookClient;
  readonly allowLoopbackInTest: boolean;
}

/**
 * Sends one signed webhook to an endpoint at once, enabled or not, and tells what came of it: a `ping`, or
 * a made-up event of another type. It is no event of the log, and says nothing of the endpoint's health.
 * Refuses with not_found.
 */
export async function testEndpoint(
  deps: TestDeps,
  scope: Scope,
  { id, type }: { readonly id: string; readonly type: EventType },
) {
  const endpoint = requireFound(await deps.db.read(scope, (tx) => findEndpoint(tx, scope, id)));
  const eventId = newId(ID_PREFIXES.event);
  const now = deps.clock.now();
  const draft = type === 'ping' ? pingEvent(id, endpoint.version) : sampleEvent(type, now);
  const full = renderEnvelope(draft, { id: eventId, at: now, environment: scope.environment });
  const body = endpoint.isThin ? thinEnvelope(full) : full;
  const result = await send(deps, scope, endpoint, { id: eventId, body });
  const at = deps.clock.now();
  const { statusCode, error } = judgeAttempt(0, result, at, 0);
  const answer = result.answer ? result.answer : null;
  return {
    ...{ eventId, type, delivered: isSuccess(result), at: at.toISOString() },
    ...{ durationMs: result.durationMs, statusCode, error, answer },
  };
}

async function send(
  deps: TestDeps,
  scope: Scope,
  endpoint: WebhookEndpointRow,
  { id, body }: { readonly id: string; readonly body: string },
) {
  const now = deps.clock.now();
  const client = deps.openClient({
    policy: urlPolicyFor(scope.environment, deps.allowLoopbackInTest),
    clock: deps.clock,
    connectionsMax: 1,
  });
  try {
    const keys = openEndpointKeys(deps.vault, endpoint, now);
    const message = { id, body, timestampSeconds: Math.floor(now.getTime() / 1_000) };
    return await client.post(endpoint.url, createWebhookHeaders(keys)(message), body);
  } finally {
    await client.close();
  }
}
