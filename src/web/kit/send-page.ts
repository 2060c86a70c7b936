import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ASSETS } from './assets/asset.ts';
import type { Theme } from '../../domain/customers/access/person.ts';
import { Document } from './parts/document.tsx';

/**
 * Answers with a page. 200 unless the reply says otherwise. `base` is the path that the whole site is under,
 * without a slash at its end; none where it is left out.
 */
export function sendPage(
  reply: FastifyReply,
  page: {
    readonly title: string;
    readonly body: VNode;
    readonly theme?: Theme;
    readonly base?: string;
  },
) {
  const document = Document({
    title: page.title,
    assets: page.base === undefined || page.base === '' ? ASSETS : under(page.base),
    children: page.body,
    ...(page.theme === undefined ? {} : { theme: page.theme }),
  });
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>${renderToString(document)}`);
}

function under(base: string): typeof ASSETS {
  const at = <One extends { readonly url: string }>(asset: One) => ({
    ...asset,
    url: base + asset.url,
  });
  return { css: at(ASSETS.css), script: at(ASSETS.script), icon: at(ASSETS.icon) };
}
