import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pageRoutes, routeOf } from './page-routes.ts';
import type { Surface } from '../../../../src/domain/customers/access/rights.ts';
import type { Person } from './people.ts';

/** Pages may be slow on a machine that runs other tests, in milliseconds. */
const LOAD_MS = 30_000;

/** So many pages of a route are asked for their links. */
const VISITS_MAX = 4;

/**
 * Follows every link of a person's pages, and looks at one page of each route.
 * @returns the routes that were seen.
 */
export async function crawl(
  { visitor: { page }, origin }: Person,
  surface: Surface,
  seeing: {
    readonly look: (page: Page, name: string) => Promise<void>;
    /** Where to begin. */
    readonly from: readonly string[];
    /** Routes that need no second look. */
    readonly seen?: ReadonlySet<string>;
  },
): Promise<Set<string>> {
  const routes = await pageRoutes(surface);
  const before = seeing.seen ?? new Set();
  const seen = new Map<string, number>();
  const waiting = [...seeing.from];
  const queued = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = routeOf(routes, path);
    expect.soft(route, `${path} is a page`).toBeDefined();
    const visits = seen.get(route ?? '') ?? 0;
    if (route === undefined || visits === VISITS_MAX) continue;
    seen.set(route, visits + 1);
    const answer = await page.goto(origin + path, { timeout: LOAD_MS });
    expect.soft(answer?.status(), path).toBe(200);
    // Another role, and another item, has other links on it.
    if (visits === 0 && !before.has(route)) {
      await seeing.look(page, `${surface}${route.replaceAll(/[/:]+/g, '-')}`);
    }
    for (const found of await pathsOn(page, origin)) {
      if (queued.has(found)) continue;
      queued.add(found);
      waiting.push(found);
    }
  }
  return new Set([...before, ...seen.keys()]);
}

/** Paths of the same origin to which a page leads, files left out. */
const pathsOn = (page: Page, origin: string): Promise<string[]> =>
  page.evaluate(
    (own) =>
      [...document.querySelectorAll('a[href]')]
        .map((found) => new URL(found.getAttribute('href') ?? '', location.href))
        .filter((url) => url.origin === own && !url.pathname.endsWith('.csv'))
        .map((url) => url.pathname),
    origin,
  );
