/** The pairs that a customer keeps with a payment or an end-user. They mean nothing to the engine. */
type Metadata = Readonly<Record<string, string>>;

/** The most pairs, and the most characters (code points) of a key and of a value. */
export const METADATA_PAIRS_MAX = 50;
export const METADATA_KEY_MAX = 40;
export const METADATA_VALUE_MAX = 500;

const METADATA_BYTES_MAX = 8 * 1024;

/** Whether the pairs stay within 8 kB (8,192 bytes) as JSON in UTF-8. */
export const isWithinMetadataSize = (metadata: Metadata): boolean =>
  Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX;
