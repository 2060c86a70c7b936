import type { App } from '../../web/kit/http/app-type.ts';
import { entityTag } from '../if-match.ts';

/** As much of a route's answer schema as is looked at. */
interface AnswerSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const SHOWS_ONE_RESOURCE: readonly number[] = [200, 201];

/**
 * Gives every answer that is one resource with a `version` the ETag of that version. Read from the
 * answer's own text, so that a replayed answer has the tag of the version that it shows.
 */
export function installEntityTags(app: App): void {
  app.addHook('onRoute', (route) => {
    const answers = (route.schema?.response ?? {}) as Readonly<Record<string, AnswerSchema>>;
    const isVersioned = SHOWS_ONE_RESOURCE.some((status) => {
      const properties = answers[String(status)]?.properties ?? {};
      return 'id' in properties && 'version' in properties;
    });
    if (isVersioned) route.config = { ...route.config, isVersioned };
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { isVersioned } = request.routeOptions.config;
    if (isVersioned !== true || !SHOWS_ONE_RESOURCE.includes(reply.statusCode)) return payload;
    if (typeof payload !== 'string') return payload;
    const { version } = JSON.parse(payload) as { version?: unknown };
    if (typeof version === 'number') void reply.header('etag', entityTag(version));
    return payload;
  });
}
