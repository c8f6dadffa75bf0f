import type { z } from 'zod'
import { isReadOnly } from './read-only.ts'

/** The parts of a schema's definition that say which values fit. */
interface Definition {
  type: string
  format?: string
  checks?: { _zod: { def: Check } }[]
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  discriminator?: string
  entries?: Record<string, unknown>
  values?: unknown[]
}

interface Check {
  check: string
  minimum?: number
  maximum?: number
  length?: number
  value?: number
  inclusive?: boolean
}

/** Returns the definition of a schema. */
export const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition

/** Returns the schema inside optional, default and similar ones. */
export function unwrapped(schema: z.ZodType): { schema: z.ZodType; isNullable: boolean } {
  const { type, innerType, in: first } = definitionOf(schema)
  const inner = innerType ?? (type === 'pipe' ? first : undefined)
  if (!inner) return { schema, isNullable: false }
  const found = unwrapped(inner)
  return { ...found, isNullable: found.isNullable || type === 'nullable' }
}

/** Returns the schema at a path of a value, or undefined if the path leads nowhere. */
export function schemaAt(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): z.ZodType | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const { schema: own } = unwrapped(schema)
  const { element, valueType, shape, options } = definitionOf(own)
  const inner = (value as Record<PropertyKey, unknown> | null | undefined)?.[step]
  if (options) {
    const tries = optionsFor(own, value).map((option) => schemaAt(option, path, value))
    return tries.find((found) => found !== undefined)
  }
  const next = shape && Object.hasOwn(shape, step) ? shape[String(step)] : (element ?? valueType)
  return next && schemaAt(next, rest, inner)
}

/** Returns the options of a union that a value may be meant for. */
function optionsFor(union: z.ZodType, value: unknown): z.ZodType[] {
  const { options = [], discriminator } = definitionOf(union)
  if (discriminator === undefined) return options
  const kind = (value as Record<string, unknown> | null | undefined)?.[discriminator]
  const chosen = options.filter((option) => valuesOf(option, discriminator).includes(kind))
  return chosen.length > 0 ? chosen : options
}

/** Returns the values that a field of an object may have, or none if they cannot be listed. */
function valuesOf(object: z.ZodType, field: string): unknown[] {
  const { schema } = unwrapped(object)
  const own = definitionOf(schema).shape?.[field]
  return own ? listed(own) : []
}

/** Returns the values of an enum or literal. */
export function listed(schema: z.ZodType): unknown[] {
  const { entries, values } = definitionOf(unwrapped(schema).schema)
  return values ?? Object.values(entries ?? {})
}

/**
 * Returns the names of the fields of an object that have a use, or undefined for another schema.
 */
export function fieldsOf(schema: z.ZodType | undefined): string[] | undefined {
  const { shape } = schema ? definitionOf(unwrapped(schema).schema) : {}
  return shape && Object.keys(shape).filter((name) => !isReadOnly(shape[name]))
}

/**
 * Returns the option of a union that a value is meant for, by the field that tells them apart or by
 * the type of the value. Returns any other schema as it is.
 */
export function optionFor(schema: z.ZodType, value: unknown): z.ZodType {
  const { schema: union } = unwrapped(schema)
  const { options, discriminator } = definitionOf(union)
  if (!options) return schema
  const type = Array.isArray(value) ? 'array' : typeof value
  const ofType = options.find((one) => definitionOf(unwrapped(one).schema).type === type)
  const [first] = discriminator === undefined ? [ofType] : optionsFor(union, value)
  return first ?? schema
}

/** Returns the values that one field tells the options of a union apart by. */
export function choicesOf(union: z.ZodType, field: string): unknown[] {
  return optionsOf(union).flatMap((option) => valuesOf(option, field))
}

/** Returns the options of a union. */
export const optionsOf = (union: z.ZodType): z.ZodType[] =>
  definitionOf(unwrapped(union).schema).options ?? []

/** Returns the schema of the keys of a record. */
export const keysOf = (record: z.ZodType): z.ZodType | undefined =>
  definitionOf(unwrapped(record).schema).keyType
