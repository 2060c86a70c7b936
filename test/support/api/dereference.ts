/**
 * A document with what its references lead to in their place, and what stands beside a reference before that. Names of
 * schemas stay in a discriminator. Throws for a reference that leads nowhere.
 */
export function dereference<Doc extends object>(document: Doc): Doc {
  const known = new Map<string, unknown>();

  function at(pointer: string): unknown {
    if (known.has(pointer)) return known.get(pointer);
    const steps = pointer.replace(/^#\//, '').split('/');
    const found = steps.reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | undefined)?.[step],
      document,
    );
    if (found === undefined) throw new Error(`the document has no ${pointer}`);
    const resolved = resolve(found);
    known.set(pointer, resolved);
    return resolved;
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Record<string, unknown>;
    const own = Object.fromEntries(
      Object.entries(beside).map(([name, item]) => [name, resolve(item)]),
    );
    return typeof $ref === 'string' ? { ...(at($ref) as object), ...own } : own;
  }

  return resolve(document) as Doc;
}
