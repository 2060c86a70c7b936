import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument } from './api-document.ts';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ROOT = 'document';

export interface SchemaCheck {
  /** What is wrong with a value by the schema at a place of the document, given as steps; null where nothing is. */
  problemOf(steps: readonly string[], value: unknown): string | null;
}

/** Checks values by the schemas of a document, each compiled once. */
export function createSchemaCheck(document: ApiDocument): SchemaCheck {
  const ajv = new Ajv2020({
    strict: false,
    formats: {
      'date-time': (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
      date: DAY,
      double: true,
      uri: true,
    },
  });
  ajv.addSchema({ ...document, $id: ROOT });
  const compiled = new Map<string, ValidateFunction>();
  return {
    problemOf(steps, value) {
      const pointer = steps
        .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const check = compiled.get(pointer) ?? ajv.compile({ $ref: `${ROOT}#/${pointer}` });
      compiled.set(pointer, check);
      return check(value) ? null : ajv.errorsText(check.errors, { dataVar: '' });
    },
  };
}
