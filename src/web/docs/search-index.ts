import MiniSearch, { type Options } from 'minisearch';
import { FIELD_CODE_NAMES, FIELD_CODES } from '../../domain/errors/problem-codes.ts';
import { ERRORS, type ErrorCode } from '../../domain/errors/registry.ts';
import type { Guide } from './guides/guide-list.ts';
import type { RenderedPage } from './markdown.ts';
import type { Paths } from './paths.ts';
import type { EventFamily } from './reference/events.ts';
import type { FieldGroup } from './reference/field-tree.ts';
import type { ShownOperation, ShownTag } from './reference/reference.ts';

/** One place that can be found. */
interface Entry {
  readonly id: number;
  readonly kind: 'Guide' | 'Operation' | 'Field' | 'Error' | 'Event';
  readonly title: string;
  /** Where it stands: the guide of a section, the operation of a field. */
  readonly where: string;
  readonly href: string;
  readonly text: string;
}

/** What the browser's search is opened with: it must be what the index was built with. */
const OPTIONS = {
  fields: ['title', 'where', 'text'],
  storeFields: ['kind', 'title', 'where', 'href'],
} satisfies Options<Entry>;

/** The longest text of a section that is searched, in characters. */
const TEXT_CHARS_MAX = 4_000;

interface Searched {
  readonly paths: Paths;
  readonly guides: readonly { readonly guide: Guide; readonly page: RenderedPage }[];
  readonly tags: readonly ShownTag[];
  readonly families: readonly EventFamily[];
}

/** The index over guides, operations, fields, codes and events, as JSON with the options that it opens by. */
export function buildSearchIndex(searched: Searched): string {
  const found = [
    ...guideEntries(searched),
    ...searched.tags.flatMap(({ operations }) =>
      operations.flatMap((operation) => operationEntries(operation, searched.paths)),
    ),
    ...(Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      kind: 'Error' as const,
      title: code,
      where: `Status ${String(ERRORS[code].status)}`,
      href: searched.paths.error(code),
      text: ERRORS[code].description,
    })),
    ...FIELD_CODE_NAMES.map((code) => ({
      kind: 'Error' as const,
      title: code,
      where: 'Codes of details',
      href: searched.paths.error(code),
      text: FIELD_CODES[code],
    })),
    ...searched.families.flatMap(({ events }) =>
      events.map(({ type, summary }) => ({
        kind: 'Event' as const,
        title: type,
        where: 'Events',
        href: searched.paths.event(type),
        text: summary,
      })),
    ),
  ];
  const index = new MiniSearch<Entry>(OPTIONS);
  index.addAll(found.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify({ options: OPTIONS, index });
}

const guideEntries = ({ guides, paths }: Searched): Omit<Entry, 'id'>[] =>
  guides.flatMap(({ guide, page }) =>
    page.sections.map(({ heading, text }) => ({
      kind: 'Guide' as const,
      title: heading?.text ?? guide.title,
      where: heading === null ? guide.says : guide.title,
      href: paths.guide(guide.slug) + (heading === null ? '' : `#${heading.anchor}`),
      text: text.slice(0, TEXT_CHARS_MAX),
    })),
  );

function operationEntries(operation: ShownOperation, paths: Paths): Omit<Entry, 'id'>[] {
  const { id, verb, path, summary, description, parameters, body } = operation;
  const href = paths.operation(operation);
  const where = `${verb.toUpperCase()} ${path}`;
  const fields = [
    ...parameters.filter(({ place }) => place !== 'header').map(({ field }) => field),
    ...fieldsIn(body?.groups ?? []),
  ];
  return [
    { kind: 'Operation', title: summary, where, href, text: `${id} ${description}` },
    ...fields.map(({ name, description: text }) => ({
      kind: 'Field' as const,
      title: name,
      where: summary,
      href,
      text,
    })),
  ];
}

/** The fields of a body and those within them. */
const fieldsIn = (groups: readonly FieldGroup[]): FieldGroup['fields'] =>
  groups.flatMap(({ fields }) => fields.flatMap((field) => [field, ...fieldsIn(field.groups)]));
