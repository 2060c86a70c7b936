/**
 * A value for each parameter of a store function whose statement is all that is asked for: it has every property, can
 * be called, and is a list of one such value.
 */
export function standIn(): never {
  const self: unknown = new Proxy(() => undefined, {
    get(_target, key) {
      if (key === Symbol.toPrimitive || key === 'toJSON') return () => 'x';
      if (key === Symbol.iterator) return [standIn()][Symbol.iterator].bind([standIn()]);
      if (key === 'then') return undefined;
      if (key === 'length') return 1;
      return standIn();
    },
    apply: () => standIn(),
    has: () => true,
  });
  return self as never;
}
