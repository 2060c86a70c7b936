import { inlineParts } from '../support/api/inline-parts.ts';
import type { ApiDocument } from './api-document.ts';
import { openRowCounter } from './count-rows.ts';
import { fuzzApi, type FuzzOutcome } from './fuzz-api.ts';
import { openSender } from './send-request.ts';
import { NEEDS_NETWORK, NEVER_REACHED } from './beyond-the-document.ts';

/** An installation to fuzz, and what is known of it beside its address. */
export interface FuzzedInstallation {
  readonly apiUrl: string;
  /** A test key; what is made under it stays. */
  readonly apiKey: string;
  /** Of another customer: its things are asked for under the key above. Null where there is none. */
  readonly otherApiKey: string | null;
  /** The database and whose rows are counted; null where it is out of reach. */
  readonly database: { readonly url: string; readonly customerId: string } | null;
}

export interface FuzzSize {
  readonly seed: number;
  readonly requests: number;
}

/** Enough valid requests to have one of most things. */
const FOREIGN_REQUESTS = 200;
const LOOK_EVERY_MS = 1_000;

/** Fuzzes an installation by the document that it serves. Throws where it serves none. */
export async function fuzzInstallation(
  { apiUrl, apiKey, otherApiKey, database }: FuzzedInstallation,
  { seed, requests }: FuzzSize,
  say: (line: string) => void,
): Promise<FuzzOutcome> {
  const document = await readDocument(apiUrl);
  const clock = { now: () => new Date(), lookEveryMs: LOOK_EVERY_MS };
  const unreached = { ...NEVER_REACHED, ...(await withoutNetworks(apiUrl, apiKey)) };
  const foreignIds: Record<string, string> = {};
  if (otherApiKey !== null) {
    const sender = openSender(apiUrl, otherApiKey);
    const made = await fuzzApi({
      ...{ document, sender, seed, requests: FOREIGN_REQUESTS, foreignIds: {}, countRows: null },
      ...{ ...clock, unreached, say: () => undefined, isOnlyToMake: true },
    });
    await sender.close();
    for (const [parameter, ids] of Object.entries(made.ids)) foreignIds[parameter] = ids[0] ?? '';
  }
  const sender = openSender(apiUrl, apiKey);
  const rows = database === null ? null : await openRowCounter(database.url, database.customerId);
  try {
    return await fuzzApi({
      ...{ document, sender, seed, requests, foreignIds, unreached, say, ...clock },
      countRows: rows?.count ?? null,
    });
  } finally {
    await rows?.close();
    await sender.close();
  }
}

async function readDocument(apiUrl: string): Promise<ApiDocument> {
  const answer = await fetch(`${apiUrl}/api/v1/openapi.json`);
  if (answer.status !== 200)
    throw new Error(`${apiUrl} serves no document: ${String(answer.status)}`);
  return inlineParts((await answer.json()) as ApiDocument);
}

async function withoutNetworks(apiUrl: string, apiKey: string): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${apiUrl}/api/v1/networks`, { headers });
  const { data = [] } = (await answer.json()) as { data?: unknown[] };
  if (data.length > 0) return {};
  return Object.fromEntries(NEEDS_NETWORK.map((id) => [id, 'no network is listed here']));
}
