import { fieldGroups, type FieldGroup } from './field-tree.ts';
import type { Media, OpenApi, Operation } from './open-api.ts';

/** Everything that a page tells of one type of event. */
export interface ShownEvent {
  readonly type: string;
  readonly summary: string;
  readonly samples: readonly { readonly title: string; readonly value: unknown }[];
}

/** What an event is about, by the part of its type before the point. */
export interface EventFamily {
  readonly name: string;
  /** What a webhook of the family carries. */
  readonly groups: readonly FieldGroup[];
  readonly events: readonly ShownEvent[];
}

/** The webhooks of a document, by what they are about. */
export function readEvents(document: OpenApi): readonly EventFamily[] {
  const events = Object.entries(document.webhooks ?? {}).map(([type, { post }]): ShownEvent => {
    const media = mediaOf(post);
    return {
      type,
      summary: post?.summary ?? type,
      samples: Object.entries(media.examples ?? {}).map(([name, { summary = name, value }]) => ({
        title: summary,
        value,
      })),
    };
  });
  const names = [...new Set(events.map(({ type }) => familyOf(type)))];
  return names.map((name) => ({
    name,
    groups: groupsOf(document, name),
    events: events.filter(({ type }) => familyOf(type) === name),
  }));
}

const mediaOf = (post: Operation | undefined): Media =>
  post?.requestBody?.content?.['application/json'] ?? {};

/** The fields of a family's first type, in full: an endpoint may ask for ids alone, which is told elsewhere. */
function groupsOf(document: OpenApi, family: string): readonly FieldGroup[] {
  const all = Object.entries(document.webhooks ?? {});
  const first = all.find(([type]) => familyOf(type) === family);
  const { schema = {} } = mediaOf(first?.[1].post);
  const [full = {}] = schema.anyOf ?? schema.oneOf ?? [schema];
  return fieldGroups(document, full);
}

const familyOf = (type: string): string => type.split('.')[0] ?? type;
