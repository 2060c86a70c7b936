/** Whether PostgreSQL refused a statement for a row that is there already, by the constraint named or by any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  if (constraint === undefined) return true;
  return 'constraint' in error && error.constraint === constraint;
}
