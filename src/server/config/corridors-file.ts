import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { checkOverrides } from '../../domain/payments/corridors/check-overrides.ts';
import { WEEKDAYS } from '../../domain/payments/corridors/corridor.ts';
import type { CorridorOverride } from '../../domain/payments/corridors/overrides.ts';
import { shapeProblems } from './shape-problems.ts';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const closed = { additionalProperties: false } as const;

const CorridorRow = Type.Object(
  {
    country: Type.String(),
    currency: Type.String(),
    rail: Type.String(),
    min: Type.Optional(orNull(Type.String())),
    max: Type.Optional(orNull(Type.String())),
    cutOff: Type.Optional(
      orNull(Type.Object({ time: Type.String(), timeZone: Type.String() }, closed)),
    ),
    holidays: Type.Optional(
      orNull(
        Type.Union([
          Type.String(),
          Type.Object(
            {
              closedWeekdays: Type.Array(Type.Enum(WEEKDAYS), { maxItems: 7, uniqueItems: true }),
              dates: Type.Array(Type.String(), { maxItems: 1_000 }),
            },
            closed,
          ),
        ]),
      ),
    ),
    settlementDays: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 30 }))),
    returnWindowDays: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 999 }))),
    returnsMayBeDeducted: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Enum(['ACTIVE', 'SUSPENDED'])),
    isDefault: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const CorridorsFile = Type.Object(
  { corridors: Type.Array(CorridorRow, { maxItems: 10_000 }) },
  closed,
);

/** Reads the JSON of CORRIDORS_FILE: overrides, or a line for everything that is wrong. */
export function readCorridorsFile(
  json: unknown,
):
  | { readonly ok: true; readonly overrides: readonly CorridorOverride[] }
  | { readonly ok: false; readonly lines: readonly string[] } {
  if (!Value.Check(CorridorsFile, json)) {
    return { ok: false, lines: shapeProblems(CorridorsFile, json) };
  }
  const checked = checkOverrides(json.corridors);
  if (checked.ok) return checked;
  const lines = checked.problems.map(
    ({ row, field, must }) => `row ${String(row)} of corridors: ${field} must be ${must}`,
  );
  return { ok: false, lines };
}
