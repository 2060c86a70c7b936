import { posix } from 'node:path';
import type { Guide } from './guides/guide-list.ts';
import type { LinkRules } from './markdown.ts';
import type { Paths } from './paths.ts';
import type { Picture } from './pictures.ts';
import type { EventFamily } from './reference/events.ts';
import type { ShownTag } from './reference/reference.ts';

/** Everything that can be linked to. */
interface Names {
  readonly paths: Paths;
  readonly guides: readonly Guide[];
  readonly tags: readonly ShownTag[];
  readonly families: readonly EventFamily[];
  readonly codes: readonly string[];
  /** By their files below `docs/`. */
  readonly pictures: ReadonlyMap<string, Picture>;
}

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)(\?\S*)?$/;

/**
 * Where the links of one file below `docs/` lead: to other guides by their pages, to other hosts as they are. A
 * page of the repository that is no guide is no link, and a picture that is not listed none. Words in backticks that are a request, a code or a type of event
 * lead to the reference.
 */
export function createLinkRules(names: Names, file: string): LinkRules {
  const { paths, guides, tags, families, codes, pictures } = names;
  const guideByFile = new Map(guides.map((guide) => [guide.file, paths.guide(guide.slug)]));
  const operations = new Map<string, string>(
    tags.flatMap((tag) =>
      tag.operations.map((operation) => {
        const path = operation.path.replace(/^\/api\/v1/, '');
        return [`${operation.verb} ${withoutNames(path)}`, paths.operation(operation)] as const;
      }),
    ),
  );
  const types = new Set(families.flatMap(({ events }) => events.map(({ type }) => type)));
  return {
    hrefOf(href) {
      if (/^https?:/.test(href)) return href;
      const [target = '', anchor] = href.split('#');
      const tail = anchor === undefined ? '' : `#${anchor}`;
      if (target === '') return tail;
      const path = posix.join(posix.dirname(file), target);
      if (path === 'openapi.json') return paths.openApi;
      if (path === 'reference/errors.md') return paths.errors + tail;
      const guide = guideByFile.get(path);
      return guide === undefined ? null : guide + tail;
    },
    nameOf(code) {
      const [, verb = '', path = ''] = REQUEST.exec(code) ?? [];
      const known = `${verb.toLowerCase()} ${withoutNames(path.replace(/^\/api\/v1/, ''))}`;
      const operation = operations.get(known);
      if (operation !== undefined) return operation;
      if (codes.includes(code)) return paths.error(code);
      return types.has(code) ? paths.event(code) : null;
    },
    pictureOf: (src) => pictures.get(posix.join(posix.dirname(file), src)) ?? null,
  };
}

/** Guides call the id of a path `{id}`, the document by what it is of. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
