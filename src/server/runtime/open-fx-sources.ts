import type { Config } from '../config/config.ts';
import type { FxSource } from '../../domain/payments/fx/fx-source.ts';
import { createHttpSource } from '../../adapters/fx/http-source.ts';
import { createSnapshotSource } from '../../adapters/fx/snapshot.ts';

/** The sources that the settings name, in their order. */
export function openFxSources(fx: Config['fx']): FxSource[] {
  const urls = {
    ...{ ecb: fx.ecbUrl, nbp: fx.nbpUrl, 'currency-api': fx.currencyApiUrl },
    json: fx.jsonUrl,
  };
  return fx.sources.map((name) =>
    name === 'snapshot' ? createSnapshotSource() : createHttpSource(name, { url: urls[name] }),
  );
}
