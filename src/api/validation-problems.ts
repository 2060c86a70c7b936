import type { FastifySchemaValidationError } from 'fastify';
import type { Problem } from '../domain/errors/refusal.ts';
import { ERRORS, type ErrorCode } from '../domain/errors/registry.ts';
import { pointerStep } from '../web/kit/http/json-pointer.ts';
import { PROBLEMS_MAX } from '../web/kit/http/storable-text.ts';

/** Where the checked part stands in `details[].path`, and what a problem with it is called. */
const PARTS: Readonly<Record<string, { readonly prefix: string; readonly code: ErrorCode }>> = {
  body: { prefix: '', code: 'validation_failed' },
  querystring: { prefix: '/query', code: 'invalid_parameter' },
  params: { prefix: '/path', code: 'invalid_parameter' },
  headers: { prefix: '/header', code: 'invalid_parameter' },
};

/** ajv's error with `verbose` on. Its `data` is the offending value: whether it is null, and no more, is read. */
interface SchemaError extends FastifySchemaValidationError {
  readonly data?: unknown;
  /** The member whose name `propertyNames` refuses. */
  readonly propertyName?: string;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

/**
 * Turns ajv's errors into the problems of an answer: one per field, none of them with the value. A
 * schema may name the registry's code for a failed keyword: `'x-error': 'unsupported_currency'` for
 * every keyword but `type`, or `'x-error': { pattern: 'unsupported_currency' }`;
 * `{ required: ... }` stands on the object that misses a member.
 */
export function validationProblems(
  errors: readonly FastifySchemaValidationError[],
  part: string,
): Problem[] {
  const { prefix, code } = PARTS[part] ?? { prefix: '', code: 'validation_failed' as const };
  const byPath = new Map<string, Problem>();
  for (const error of withoutFailedBranches(errors)) {
    const path = prefix + pathOf(error);
    if (byPath.has(path)) continue;
    const known = codeOf(error);
    byPath.set(path, {
      path,
      code: known ?? code,
      message: known === null ? messageOf(error) : ERRORS[known].description,
    });
    if (byPath.size === PROBLEMS_MAX) break;
  }
  return [...byPath.values()];
}

function pathOf(error: SchemaError): string {
  if (error.keyword === 'required') {
    return error.instancePath + pointerStep(String(error.params['missingProperty']));
  }
  if (error.keyword === 'additionalProperties') {
    return error.instancePath + pointerStep(String(error.params['additionalProperty']));
  }
  if (error.propertyName !== undefined) {
    return error.instancePath + pointerStep(error.propertyName);
  }
  return error.instancePath;
}

function codeOf(error: SchemaError): ErrorCode | null {
  const declared = error.parentSchema?.['x-error'];
  // These two fail on the object around the field: a code for all of it would be the wrong one.
  const isAboutMember = error.keyword === 'required' || error.keyword === 'additionalProperties';
  if (isAboutMember && typeof declared === 'string') return null;
  const name =
    typeof declared === 'string' && error.keyword !== 'type'
      ? declared
      : (declared as Record<string, unknown> | undefined)?.[error.keyword];
  return typeof name === 'string' && Object.hasOwn(ERRORS, name) ? (name as ErrorCode) : null;
}

function messageOf(error: SchemaError): string {
  switch (error.keyword) {
    case 'required':
      return 'This field is required.';
    case 'additionalProperties':
      return 'The field is unknown. Check its name, or remove it.';
    case 'enum':
      return `Must be one of: ${listOf(error.params['allowedValues'])}.`;
    case 'not':
      return 'The field cannot be combined with the other fields. Remove it.';
    case 'const':
      return `Must be ${JSON.stringify(error.params['allowedValue'])}.`;
    case 'anyOf':
    case 'oneOf': {
      const description = error.parentSchema?.['description'];
      const wanted = typeof description === 'string' ? ` ${description}` : '';
      return `The value does not have an accepted format.${wanted}`;
    }
    case 'type': {
      if (isAbsentBody(error))
        return 'The body must be a JSON object. Send `{}` if it has no fields.';
      const cannotBeNull =
        error.data === null ? ' The field cannot be cleared, so it must not be null.' : '';
      return `Must be of type ${listOf([error.params['type']].flat())}.${cannotBeNull}`;
    }
    default: {
      const text = error.message ?? 'is not allowed';
      if (error.propertyName !== undefined) return `The name ${text}.`;
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    }
  }
}

/** Of a body that is null or not there at all: no field of it would be cleared. */
const isAbsentBody = ({ instancePath, data }: SchemaError): boolean =>
  instancePath === '' && (data === null || data === undefined);

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.slice(0, 50).join(', ') : '';
}

/**
 * Where a choice (anyOf, oneOf) failed, ajv tells the errors of every branch. Kept are those of the
 * branch that came closest, if they lie deeper than the choice; else the choice's own error.
 */
function withoutFailedBranches(errors: readonly SchemaError[]): SchemaError[] {
  let kept = errors.filter(({ keyword }) => !['if', 'propertyNames'].includes(keyword));
  const choices = kept.filter((error) => ['anyOf', 'oneOf'].includes(error.keyword));
  for (const choice of choices) {
    const within = kept.filter((error) => error.schemaPath.startsWith(`${choice.schemaPath}/`));
    const byBranch = new Map<string, SchemaError[]>();
    for (const error of within) {
      const branch = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '';
      byBranch.set(branch, [...(byBranch.get(branch) ?? []), error]);
    }
    const isDeeper = (error: SchemaError) => pathOf(error) !== choice.instancePath;
    const other = branchBesideNull(choice, [...byBranch.values()]);
    const closest = [...(other === null ? byBranch.values() : [other])]
      .filter((branch) => branch === other || branch.every(isDeeper))
      .sort((a, b) => a.length - b.length)[0];
    const dropped = new Set<SchemaError>(closest === undefined ? within : [choice, ...within]);
    for (const error of closest ?? []) dropped.delete(error);
    kept = kept.filter((error) => !dropped.has(error));
  }
  return kept;
}

/**
 * Of a choice between null and one other form, the errors of the other form: what is not null was
 * meant to be it. Null where the choice is another one, or the value is of neither type.
 */
function branchBesideNull(
  choice: SchemaError,
  branches: readonly (readonly SchemaError[])[],
): readonly SchemaError[] | null {
  const isTypeError = ({ keyword, instancePath }: SchemaError) =>
    keyword === 'type' && instancePath === choice.instancePath;
  const isNullBranch = (branch: readonly SchemaError[]) =>
    branch.some((error) => isTypeError(error) && error.params['type'] === 'null');
  const [first, second] = branches;
  if (first === undefined || second === undefined || branches.length > 2) return null;
  if (isNullBranch(first) === isNullBranch(second)) return null;
  const other = isNullBranch(first) ? second : first;
  return other.some(isTypeError) ? null : other;
}
