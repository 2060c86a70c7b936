import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { RouteRight } from '../../../src/domain/customers/access/rights.ts';
import type { FormRules } from '../../../src/web/kit/forms/form-rules.ts';

export interface RegisteredRoute {
  /** As `POST /:env/keys`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The parameters of its path, in their order. */
  readonly params: readonly string[];
  readonly right: RouteRight;
  readonly form: FormRules;
}

/** Where Fastify says that an application is being made, before it has a route. */
const CREATED = 'fastify.initialization';

/**
 * What `work` makes, and every route of dashboard and console that came to be registered by it: those that name a
 * right, without which none of them starts. The API's name none.
 */
export async function withRoutes<Made>(
  work: () => Promise<Made>,
): Promise<{ readonly made: Made; readonly routes: readonly RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        const { right } = route.config ?? {};
        if (method !== 'HEAD' && right !== undefined) {
          routes.push(describeRoute(method, route, right));
        }
      }
    });
  };
  subscribe(CREATED, watch);
  try {
    return { made: await work(), routes };
  } finally {
    unsubscribe(CREATED, watch);
  }
}

function describeRoute(
  method: string,
  { url, config }: RouteOptions,
  right: RouteRight,
): RegisteredRoute {
  if (method !== 'GET' && method !== 'POST') throw new Error(`pages take no ${method}: ${url}`);
  return {
    ...{ name: `${method} ${url}`, method, url, form: config?.form ?? {} },
    params: [...url.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name),
    right,
  };
}

/** The path of a route with its parameters filled in. */
export const pathOf = (url: string, values: Readonly<Record<string, string>>): string =>
  url.replace(/:([A-Za-z]+)/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${url}: nothing to put in the place of ${name}`);
    return encodeURIComponent(value);
  });
