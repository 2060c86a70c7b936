import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ListEntry } from '../../domain/parties/screening/name-list.ts';

const ListFile = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 200 }),
      kind: Type.Enum(['PERSON', 'ENTITY']),
      names: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        minItems: 1,
        maxItems: 200,
      }),
      dateOfBirth: Type.Optional(
        Type.Union([
          Type.String({ pattern: '^[0-9]{4}(-[0-9]{2}){0,2}$' }),
          Type.Array(Type.String({ pattern: '^[0-9]{4}(-[0-9]{2}){0,2}$' }), { maxItems: 50 }),
        ]),
      ),
      countries: Type.Optional(
        Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 50 }),
      ),
    }),
  ),
});

interface LoadedList {
  /** SHA-256 of the file. */
  readonly version: string;
  readonly entries: readonly ListEntry[];
}

/** A list that cannot be used. The message says where it breaks, and no name. */
export class UnusableList extends Error {
  override readonly name = 'UnusableList';
}

/** Reads a list of sanctioned names: see docs/reference/screening.md. Throws UnusableList. */
export function readList(bytes: Uint8Array): LoadedList {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnusableList('it is no JSON in UTF-8');
  }
  if (!Value.Check(ListFile, content)) {
    const [problem] = Value.Errors(ListFile, content);
    throw new UnusableList(`${problem?.instancePath ?? ''} is not as agreed`);
  }
  const ids = new Set(content.entries.map(({ id }) => id));
  if (ids.size < content.entries.length) throw new UnusableList('an id occurs twice');
  // An empty file is what a broken download leaves; it must not clear every party.
  if (ids.size === 0) throw new UnusableList('it has no entry');
  const version = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const entries = content.entries.map(({ id, kind, names, dateOfBirth }) => ({
    id,
    kind,
    names,
    datesOfBirth: dateOfBirth === undefined ? [] : [dateOfBirth].flat(),
  }));
  return { version, entries };
}
