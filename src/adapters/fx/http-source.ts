import type { Dispatcher } from 'undici';

import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import { readCurrencyApiDocument } from './currency-api-document.ts';
import { readEcbDocument } from './ecb-document.ts';
import { fetchDocument } from './fetch-document.ts';
import type { FxSource } from '../../domain/payments/fx/fx-source.ts';
import { readNbpDocument } from './nbp-document.ts';
import { readRatesDocument } from './rates-document.ts';

interface Publisher {
  /** Undefined where the options must name one. */
  readonly url?: string;
  readonly accept: string;
  /** Pure: throws FxSourceError for what is not its document. */
  readonly read: (text: string, source: string) => FxLeg[];
}

/** Who publishes rates on the web, by the name that settings and legs have for it. */
const PUBLISHERS = {
  /** The European Central Bank's reference rates: 30 currencies in euros, each working day. */
  ecb: {
    url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    accept: 'text/xml',
    read: readEcbDocument,
  },
  /** The Narodowy Bank Polski's table A: 32 currencies in zlotys, each working day. */
  nbp: {
    url: 'https://api.nbp.pl/api/exchangerates/tables/A/?format=json',
    accept: 'application/json',
    read: readNbpDocument,
  },
  /** Every active currency and stablecoin in dollars, each day, gathered by a community; no bank answers for it. */
  'currency-api': {
    url: 'https://latest.currency-api.pages.dev/v1/currencies/usd.json',
    accept: 'application/json',
    read: readCurrencyApiDocument,
  },
  /** A document of the operator's own, in our own form. */
  json: { accept: 'application/json', read: readRatesDocument },
} as const satisfies Record<string, Publisher>;

type PublisherName = keyof typeof PUBLISHERS;

export interface HttpSourceOptions {
  /** Another address of the same document. */
  readonly url?: string | undefined;
  /** For the whole answer, in milliseconds. */
  readonly timeoutMs?: number;
  /** Bytes of the body; the largest real document has about 10,000. */
  readonly bytesMax?: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * A source that GETs one document and reads it whole or refuses it whole. Throws RangeError for one without
 * an address.
 */
export function createHttpSource(name: PublisherName, options: HttpSourceOptions = {}): FxSource {
  const { timeoutMs = 5_000, bytesMax = 1_048_576, dispatcher } = options;
  const { url: usual, accept, read }: Publisher = PUBLISHERS[name];
  const url = options.url ?? usual;
  if (url === undefined) throw new RangeError(`The rate source ${name} has no URL.`);
  const wanted = { source: name, url, accept, timeoutMs, bytesMax, dispatcher };
  return { name, fetch: async () => read(await fetchDocument(wanted), name) };
}
