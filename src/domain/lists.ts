/** One page of a list, newest first. `cursor` continues behind the last item shown. */
export interface PageRequest {
  /** 1-100. */
  readonly limit: number;
  /** Only items with a smaller sequence; null for the first page. */
  readonly before: bigint | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The sequence to continue from, or null where the list ends. */
  readonly next: bigint | null;
}

/** Cuts `limit + 1` fetched rows, newest first, into a page. */
export function toPage<Row extends { readonly seq: bigint }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? last.seq : null };
}
