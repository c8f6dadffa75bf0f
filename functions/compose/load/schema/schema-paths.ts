import type { Schema } from './forms.ts'

/**
 * Returns the paths of all attributes that a schema of compose files allows, sorted. Example:
 * `services.*.ports.*.target`, where `*` is any name or list index. A list or mapping of plain
 * values is one attribute. Extensions (`x-…`) are left out.
 */
export function schemaPaths(root: Schema): string[] {
  return [...new Set(pathsOf(root, root, ''))].sort()
}

function* pathsOf(schema: Schema, root: Schema, at: string): Generator<string> {
  const children = [...childrenOf(schema, root)]
  if (children.length === 0 && schema.type !== 'null') yield at.replace(/(\.\*)+$/, '')
  for (const [part, child] of children) {
    yield* pathsOf(child, root, [at, part].filter((one) => one !== '').join('.'))
  }
}

/**
 * Yields the direct subschemas of a schema with the path part that leads to them, which is empty
 * for alternatives.
 */
function* childrenOf(schema: Schema, root: Schema): Generator<[part: string, child: Schema]> {
  if (typeof schema.$ref === 'string') yield ['', definition(schema.$ref, root)]
  for (const child of listed(schema.anyOf)) yield ['', child]
  yield* Object.entries(keyed(schema.properties))
  for (const [pattern, child] of Object.entries(keyed(schema.patternProperties))) {
    if (pattern !== '^x-') yield ['*', child]
  }
  for (const key of ['additionalProperties', 'items']) {
    const child = schema[key]
    if (isSchema(child)) yield ['*', child]
  }
}

function definition(reference: string, root: Schema): Schema {
  const name = reference.replace('#/$defs/', '')
  const found = keyed(root.$defs)[name]
  if (!found) throw new Error(`the schema has no definition ${reference}`)
  return found
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const keyed = (value: unknown): Record<string, Schema> =>
  isSchema(value) ? Object.fromEntries(Object.entries(value).filter(isEntry)) : {}
const isEntry = (entry: [string, unknown]): entry is [string, Schema] => isSchema(entry[1])
const listed = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
