import type { ReleaseFilter } from '../../../../../db/operations/release-stop-store.ts';

/** What a stop concerns, in words. */
export function filterText({ environment, rail, customerId }: ReleaseFilter): string {
  const parts = [environment, rail, customerId].filter((part) => part !== null);
  return parts.length === 0 ? 'Everything' : parts.join(', ');
}
