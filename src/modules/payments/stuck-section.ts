/** One kind of thing that a person must look at. */
export interface StuckSection {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows than those. */
  readonly hasMore: boolean;
  /** What to do next, in a sentence. */
  readonly next: string;
}
