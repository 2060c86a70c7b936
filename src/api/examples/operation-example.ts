import type { IdPrefix } from '../../domain/ids.ts';

/**
 * One way to call an operation, as the document shows it. The request and the answer bear one name there, so
 * that a reader, and a mock server, knows which belong together: what the one asks for is what the other shows.
 */
interface OperationExample {
  readonly summary: string;
  /** The body; left out where the operation takes none. */
  readonly request?: unknown;
  readonly status: number;
  /** The body of the answer; left out of one without a body. */
  readonly answer?: unknown;
  /** Of the answer, where it is not JSON. */
  readonly mediaType?: 'text/csv' | 'application/xml';
}

/** Examples by operation, then by their names. */
export type ExampleTable = Readonly<Record<string, Readonly<Record<string, OperationExample>>>>;

/** The id of the made-up resource that all examples are about, of each kind one. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_01k6b7q0e8f1htx9n3r5p7v2ab`;

/** A moment of the examples' one day: `clock` is "HH:MM:SS", by UTC. */
export const exampleTime = (clock: string): string => `2026-09-29T${clock}.000Z`;

/** An address that has no owner known to us: the first of the examples of EIP-55. */
export const EXAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const EXAMPLE_TX_HASH = `0x${'5c'.repeat(32)}`;

/** A page of a list that holds all there is. */
export const onlyPage = <Item>(...data: readonly Item[]) => ({
  data,
  hasMore: false,
  nextCursor: null,
});
