/**
 * Refuses with precondition_failed where the caller named versions of a resource and this is none of
 * them. Must be asked under the resource's lock.
 */
export type RequireVersion = (version: number) => void;
