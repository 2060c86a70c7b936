/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Which page of a list to read. */
export interface Paging {
  /** How many items at most, 1 to 100. Default: 20, or the whole list where it is short and fixed. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page of the same list. */
  readonly cursor?: string | undefined;
}
