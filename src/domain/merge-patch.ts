/** What may be said in a merge patch about a value: of an object each member, null where it may be left out. */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        readonly [Name in keyof Value]?:
          | MergePatch<NonNullable<Value[Name]>>
          | (CanBeMissing<Value, Name> extends true ? null : never);
      }
    : Value;

/** Optional members, and every member of a record. */
type CanBeMissing<Value, Name extends keyof Value> = string extends keyof Value
  ? true
  : undefined extends Value[Name]
    ? true
    : false;

/**
 * JSON Merge Patch (RFC 7396 section 2): null removes a member, an object is merged member by member,
 * anything else, an array too, replaces what was there. Both stay as they are. Whether the result is
 * still whole is for the caller to judge.
 */
export function applyMergePatch<Value extends object>(
  target: Value,
  patch: MergePatch<Value>,
): Value {
  return merge(target, patch) as Value;
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merge(members.get(name), value));
  }
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
