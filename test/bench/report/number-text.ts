const SIGNIFICANT = 3;

/** A measured number with three digits that mean something, and its unit; `-` where there is none. */
export function numberText(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '-';
  const digits =
    Number.isInteger(value) || Math.abs(value) >= 100
      ? String(Math.round(value))
      : String(Number(value.toPrecision(SIGNIFICANT)));
  return unit === '' ? digits : `${digits} ${unit}`;
}
