import { Type } from 'typebox';
import { ASSETS } from './assets/asset.ts';
import { noSuchPage } from './page-refusal.ts';
import type { WebApp } from './web-deps.ts';

const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';

/** GET /assets/{hash}/{name}: what pages load. Under another hash there is nothing. */
export function registerAssets(app: WebApp): void {
  const byUrl = new Map(Object.values(ASSETS).map((asset) => [asset.url, asset]));
  app.get(
    '/assets/:hash/:name',
    {
      config: { right: 'public', isStatic: true },
      schema: { params: Type.Object({ hash: Type.String(), name: Type.String() }) },
    },
    async ({ params }, reply) => {
      const asset = byUrl.get(`/assets/${params.hash}/${params.name}`);
      if (asset === undefined) throw noSuchPage();
      return reply.header('cache-control', KEPT_FOR_EVER).type(asset.type).send(asset.bytes);
    },
  );
}

/** GET /health: the process answers. It asks neither PostgreSQL nor Temporal. */
export function registerHealth(app: WebApp): void {
  app.get('/health', { config: { right: 'public', isStatic: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('ok\n'),
  );
}
