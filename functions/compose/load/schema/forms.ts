/** A JSON Schema, draft 2020-12. */
export type Schema = { [keyword: string]: unknown }

/** A mapping with these attributes and `x-` extensions only. */
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  patternProperties: { '^x-': {} },
  additionalProperties: false,
})

/** A mapping from any name to values of one form. */
export const mapping = (values: Schema): Schema => ({
  type: 'object',
  additionalProperties: values,
})

/** A mapping from names of project resources to their definitions. */
export const named = (values: Schema): Schema => ({
  type: 'object',
  patternProperties: { '^[a-zA-Z0-9._-]+$': values },
  additionalProperties: false,
})

/** Like `named`, but entries whose names have other characters are accepted without validation. */
export const namedFreely = (values: Schema): Schema => ({
  ...named(values),
  additionalProperties: true,
})

export const string: Schema = { type: 'string' }
export const integer: Schema = { type: ['integer', 'string'] }
export const number: Schema = { type: ['number', 'string'] }
export const boolean: Schema = { type: ['boolean', 'string'] }
export const scalar: Schema = { type: ['string', 'number', 'boolean', 'null'] }
export const numberOrString: Schema = { type: ['number', 'string'] }

/** One of these words. */
export const word = (...words: string[]): Schema => ({ type: 'string', enum: words })

/**
 * One of several kinds of values. They differ by type, so that errors can tell which one was meant.
 */
export const either = (...schemas: Schema[]): Schema => ({ anyOf: schemas })

export const list = (items: Schema): Schema => ({ type: 'array', items })
export const strings: Schema = { type: 'array', items: string }
/** A list of strings without duplicates. */
export const uniqueStrings: Schema = { ...strings, uniqueItems: true }
export const stringOrList: Schema = either(string, uniqueStrings)
export const nullable = (schema: Schema): Schema => either({ type: 'null' }, schema)

/** A command: a list of words, or one string that is split as a shell does. */
export const command: Schema = either({ type: 'null' }, string, strings)

/** `{key: value}` or `[key=value]`. */
export const listOrMapping: Schema = either(mapping(scalar), uniqueStrings)

/** A reference to a shared definition. */
export const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })
