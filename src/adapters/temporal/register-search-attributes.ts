import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows/search-attributes.ts';

/** temporal.api.enums.v1.IndexedValueType: KEYWORD. */
const INDEXED_VALUE_TYPE_KEYWORD = 2;

/** The search attributes that the namespace lacks. Empty: workflows can be started. */
export async function findMissingSearchAttributes(client: Client): Promise<string[]> {
  const { namespace } = client.options;
  const listed = await client.connection.operatorService.listSearchAttributes({ namespace });
  const present = new Set(Object.keys(listed.customAttributes ?? {}));
  return SEARCH_ATTRIBUTES.map((key) => key.name).filter((name) => !present.has(name));
}

/** Registers the search attributes that the namespace lacks. */
export async function registerSearchAttributes(client: Client): Promise<string[]> {
  const missing = await findMissingSearchAttributes(client);
  if (missing.length === 0) return [];
  await client.connection.operatorService.addSearchAttributes({
    namespace: client.options.namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD])),
  });
  return missing;
}
