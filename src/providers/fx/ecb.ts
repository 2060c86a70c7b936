import type { Dispatcher } from 'undici';

import { readEcbDocument } from './ecb-document.ts';
import { fetchDocument } from './fetch-document.ts';
import type { FxSource } from './fx-source.ts';

export interface EcbSourceOptions {
  /** Where the daily document is: https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml */
  readonly url: string;
  /** For the whole answer, in milliseconds. */
  readonly timeoutMs?: number;
  /** Bytes of the body; the real document has about 2,000. */
  readonly bytesMax?: number;
  readonly dispatcher?: Dispatcher;
}

/** The European Central Bank's euro reference rates: about 30 currencies, once a working day. */
export function createEcbSource({
  url,
  timeoutMs = 5_000,
  bytesMax = 1_048_576,
  dispatcher,
}: EcbSourceOptions): FxSource {
  const name = 'ecb';
  return {
    name,
    fetch: async () =>
      readEcbDocument(
        await fetchDocument({ source: name, url, timeoutMs, bytesMax, dispatcher }),
        name,
      ),
  };
}
