import { isReadableQuery } from '../http/readable-query.ts';
import { findUnstorableText } from '../http/storable-text.ts';
import { noSuchPage, unreadableUrl } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/**
 * Refuses URLs whose text could be kept or compared nowhere, before a session is looked up: no page has such a
 * path, and no link or form of ours such a query.
 */
export function installReadableUrls(app: WebApp): void {
  app.addHook('onRequest', async ({ url, params, query }) => {
    if (isUnstorable(params)) throw noSuchPage();
    if (!isReadableQuery(url) || isUnstorable(query)) throw unreadableUrl();
  });
}

const isUnstorable = (texts: unknown): boolean =>
  findUnstorableText(texts, '', 'invalid_parameter').length > 0;
