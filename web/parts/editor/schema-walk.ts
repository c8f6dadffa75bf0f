import { ownEntry } from '../../data/own-entry.ts'

/** A JSON Schema, as far as completion reads it. */
export interface Schema {
  $ref?: string
  $defs?: Readonly<Record<string, Schema>>
  type?: string | readonly string[]
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  required?: readonly string[]
}

/** What may stand at a place. */
export interface Meaning {
  schemas: readonly Schema[]
  /** The path with `*` for names that are free, such as `services.*.image`. */
  pattern: readonly string[]
}

/** A key that may be written at a place. */
export interface KnownKey {
  name: string
  /** What follows it: a mapping, a list, or a value on the same line. */
  holds: 'mapping' | 'list' | 'value'
  isRequired: boolean
}

/** Returns what a path of a document means. `-` in the path is an entry of a list. */
export function meaningOf(root: Schema, path: readonly string[]): Meaning {
  let schemas = kindsOf(root, root)
  const pattern: string[] = []
  for (const name of path) {
    const found = schemas.map((schema) => below(schema, name))
    const isFree = found.every((one) => !one || one.isFree)
    if (name !== '-') pattern.push(isFree ? '*' : name)
    schemas = found.flatMap((one) => (one ? kindsOf(root, one.schema) : []))
  }
  return { schemas, pattern }
}

/** Follows references and choices. */
function kindsOf(root: Schema, { $ref, anyOf, ...rest }: Schema): Schema[] {
  if ($ref !== undefined) {
    const target = root.$defs?.[$ref.slice('#/$defs/'.length)]
    return target ? kindsOf(root, target) : []
  }
  return anyOf ? anyOf.flatMap((one) => kindsOf(root, one)) : [rest]
}

function below(schema: Schema, name: string): { schema: Schema; isFree: boolean } | undefined {
  if (name === '-') return schema.items && { schema: schema.items, isFree: true }
  const known = ownEntry(schema.properties, name)
  if (known) return { schema: known, isFree: false }
  const free = Object.entries(schema.patternProperties ?? {}).find(([pattern]) =>
    new RegExp(pattern).test(name),
  )
  if (free) return { schema: free[1], isFree: true }
  const { additionalProperties: more } = schema
  return typeof more === 'object' ? { schema: more, isFree: true } : undefined
}

/** Returns the keys that a mapping at the place may have, without repeats. */
export function keysOf(root: Schema, { schemas }: Meaning): KnownKey[] {
  const keys = schemas.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      holds: heldBy(kindsOf(root, schema)),
      isRequired: required.includes(name),
    })),
  )
  return [...new Map(keys.map((key) => [key.name, key])).values()]
}

function heldBy(kinds: readonly Schema[]): KnownKey['holds'] {
  const types = kinds.map(({ type }) => type).filter((type) => type !== 'null')
  if (types.some((type) => type !== 'array' && type !== 'object')) return 'value'
  return types.includes('object') ? 'mapping' : 'list'
}

/** Returns the words that a value at the place may be. */
export function valuesOf({ schemas }: Meaning): string[] {
  const words = schemas.flatMap((schema) => {
    const types = [schema.type ?? []].flat()
    return [...(schema.enum ?? []), ...(types.includes('boolean') ? ['true', 'false'] : [])]
  })
  return [...new Set(words)]
}
