import { renderToString } from 'preact-render-to-string';
import { ERROR_CODES } from '../../domain/errors/registry.ts';
import type { Asset } from '../kit/assets/asset.ts';
import { readDocsAssets, type DocsAssets } from './docs-assets.ts';
import { readGuides } from './guides/guide-list.ts';
import { createLinkRules } from './link-rules.ts';
import { renderPage } from './markdown.ts';
import { errorsPage } from './pages/errors-page.tsx';
import { eventsPage } from './pages/events-page.tsx';
import { guidePage } from './pages/guide-page.tsx';
import { homePage } from './pages/home-page.tsx';
import { missingPage } from './pages/missing-page.tsx';
import { tagPage } from './pages/tag-page.tsx';
import { DocsDocument } from './parts/docs-document.tsx';
import { Shell } from './parts/shell.tsx';
import { createPaths } from './paths.ts';
import { readPictures, type Picture } from './pictures.ts';
import { readEvents } from './reference/events.ts';
import type { OpenApi } from './reference/open-api.ts';
import { errorsOfAll, readReference } from './reference/reference.ts';
import { buildSearchIndex } from './search-index.ts';
import type { Page, Site } from './site-model.ts';

/** The site: its files by their addresses, and its pages by their paths. */
export interface DocsSite {
  /** The HTML of a page, by its whole path without a slash at the end; null where there is none. */
  readonly page: (path: string) => string | null;
  readonly missing: () => string;
  readonly asset: (path: string) => Asset | null;
  /** Every path that has a page. */
  readonly paths: readonly string[];
}

/**
 * The site of a document of the API, as the running service describes itself. `publicUrl` is where the service is
 * reached; its path is what every address begins with. Reads the guides and files once.
 */
export function createDocsSite(document: OpenApi, publicUrl: string): DocsSite {
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/$/, '');
  const pictures = readPictures(base);
  const site = readSite(document, origin + base, base, pictures);
  const assets = readDocsAssets(base, buildSearchIndex(site));
  const { paths } = site;
  const pages = new Map<string, () => Page>([
    [paths.home, () => homePage(site)],
    [paths.errors, () => errorsPage(site)],
    [paths.events, () => eventsPage(site)],
    ...site.guides.map(({ guide, page }) => {
      return [paths.guide(guide.slug), () => guidePage(guide, page)] as const;
    }),
    ...site.tags.map((tag) => [paths.tag(tag.name), () => tagPage(site, tag)] as const),
  ]);
  const rendered = new Map<string, string>();
  const own = [assets.css, assets.script, assets.engine, assets.index, ...pictures.values()];
  const files = new Map(own.map((asset) => [asset.url, asset]));
  const html = (page: Page, current: string) => renderWhole(site, assets, page, current);
  return {
    page(path) {
      const known = rendered.get(path);
      if (known !== undefined) return known;
      const make = pages.get(path);
      if (make === undefined) return null;
      const text = html(make(), path);
      rendered.set(path, text);
      return text;
    },
    missing: () => html(missingPage(paths), ''),
    asset: (path) => files.get(path) ?? null,
    paths: [...pages.keys()],
  };
}

function readSite(
  document: OpenApi,
  apiUrl: string,
  base: string,
  pictures: ReadonlyMap<string, Picture>,
): Site {
  const paths = createPaths(base);
  const tags = readReference(document);
  const families = readEvents(document);
  const guides = readGuides();
  const names = { tags, families, codes: ERROR_CODES, guides, paths, pictures };
  const rulesOf = (file: string) => createLinkRules(names, file);
  return {
    ...{ paths, apiUrl, tags, families },
    rules: rulesOf('openapi.json'),
    commonErrors: errorsOfAll(tags),
    guides: guides.map((guide) => ({
      guide,
      page: renderPage(withOwnAddress(guide.markdown, apiUrl), rulesOf(guide.file)),
    })),
  };
}

/** What guides call the service, here where a reader runs it and there where others do. */
const WRITTEN_ADDRESSES = ['http://127.0.0.1:8080', 'https://pay.example.com'];

/** A guide with this installation's address in its commands, so that they can be copied as they are. */
const withOwnAddress = (markdown: string, apiUrl: string): string =>
  WRITTEN_ADDRESSES.reduce((text, address) => text.replaceAll(address, () => apiUrl), markdown);

function renderWhole(site: Site, assets: DocsAssets, page: Page, current: string): string {
  const document = DocsDocument({
    title: page.title,
    description: page.description,
    assets,
    children: Shell({
      ...{ paths: site.paths, tags: site.tags, assets, current },
      children: page.body,
    }),
  });
  return `<!doctype html>${renderToString(document)}`;
}
