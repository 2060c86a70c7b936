type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON value as text; numbers and strings only. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new TypeError('neither text nor number');
}

/** A JSON array of objects. */
export function list(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new TypeError('no list');
  return value as JsonObject[];
}

/** Whether a value is an answer of the form {data: [...]}. */
export function isJsonList(value: unknown): value is { readonly data: readonly JsonObject[] } {
  return (
    typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
  );
}
