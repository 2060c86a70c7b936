import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** So many lines of a file that is wrong all over. */
const LINES_MAX = 20;

/** A line for each place of a file's JSON that does not fit its schema; rows are counted from 1. */
export function shapeProblems(schema: TSchema, json: unknown): string[] {
  const byPlace = new Map<string, string[]>();
  for (const { instancePath, message, keyword } of Value.Errors(schema, json)) {
    if (SAID_BY_OTHERS.has(keyword)) continue;
    const place = placeOf(instancePath);
    const said = keyword === 'boolean' ? 'is no known field' : message;
    byPlace.set(place, [...(byPlace.get(place) ?? []), said]);
  }
  const lines = [...byPlace].map(([place, said]) => place + [...new Set(said)].join(' or '));
  return lines.slice(0, LINES_MAX);
}

/** What their alternatives, or the field itself, say better. */
const SAID_BY_OTHERS: ReadonlySet<string> = new Set(['anyOf', 'additionalProperties']);

/** "/corridors/2/cutOff/time" as "row 3 of corridors: cutOff.time ". */
function placeOf(path: string): string {
  const [, list = '', row, ...field] = path.split('/');
  if (list === '') return '';
  if (row === undefined) return `${list} `;
  const place = `row ${String(Number(row) + 1)} of ${list}`;
  return field.length === 0 ? `${place} ` : `${place}: ${field.join('.')} `;
}
