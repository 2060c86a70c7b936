import { Type } from 'typebox';
import { Refusal } from '../../../../domain/errors/refusal.ts';
import { ASSETS } from '../../../../web/kit/assets/asset.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';

/** GET /assets/:hash/:name: what the pages load. Under another hash there is nothing. */
export function registerKycAssets(app: App): void {
  const byUrl = new Map(Object.values(ASSETS).map((asset) => [asset.url, asset]));
  app.get(
    '/assets/:hash/:name',
    {
      config: { public: true },
      schema: { hide: true, params: Type.Object({ hash: Type.String(), name: Type.String() }) },
    },
    async ({ params }, reply) => {
      const asset = byUrl.get(`/assets/${params.hash}/${params.name}`);
      if (asset === undefined) throw new Refusal('not_found', 'The resource does not exist.');
      return reply
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'same-origin',
        })
        .type(asset.type)
        .send(asset.bytes);
    },
  );
}
