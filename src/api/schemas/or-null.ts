import { Type, type TSchema } from 'typebox';

/** A value that may be null, described as a whole where it has a description of its own. */
export const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
