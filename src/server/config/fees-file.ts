import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { checkFeeRows } from '../../domain/payments/fees/check-fee-rows.ts';
import { SCHEDULED_FEE_TYPES, type FeeRow } from '../../domain/payments/fees/fee-schedule.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { shapeProblems } from './shape-problems.ts';

const closed = { additionalProperties: false } as const;

const Row = Type.Object(
  {
    type: Type.Enum([...SCHEDULED_FEE_TYPES]),
    currency: Type.String(),
    environment: Type.Optional(Type.Enum([...ENVIRONMENTS])),
    rail: Type.Optional(Type.String()),
    network: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
    fixed: Type.Optional(Type.String()),
    bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
    min: Type.Optional(Type.String()),
    max: Type.Optional(Type.String()),
  },
  closed,
);

const FeesFile = Type.Object({ fees: Type.Array(Row, { maxItems: 10_000 }) }, closed);

/** Reads the JSON of FEES_FILE: the rows of the schedule, or a line for everything that is wrong. */
export function readFeesFile(
  json: unknown,
):
  | { readonly ok: true; readonly rows: readonly FeeRow[] }
  | { readonly ok: false; readonly lines: readonly string[] } {
  if (!Value.Check(FeesFile, json)) return { ok: false, lines: shapeProblems(FeesFile, json) };
  const checked = checkFeeRows(json.fees);
  if (checked.ok) return checked;
  const lines = checked.problems.map(
    ({ row, field, must }) => `row ${String(row)} of fees: ${field} must be ${must}`,
  );
  return { ok: false, lines };
}
