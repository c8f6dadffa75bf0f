import { composeSchema } from '../../functions/compose/load/schema/compose.ts'
import type { Schema } from '../../functions/compose/load/schema/forms.ts'

export type Path = readonly (string | number)[]
export type AttributeClass = 'number' | 'list' | 'mapping' | 'text'

/** An attribute of a compose file, and one class of value that the schema allows for it. */
export interface Attribute {
  path: Path
  class: AttributeClass
  /** One valid entry of a list or mapping. */
  entry: unknown
}

const definitions = composeSchema.$defs as Record<string, Schema>
const depthMax = 12

/**
 * Returns every attribute in the schema, once per class of value it takes: `services.a.ports`,
 * `services.a.scale`.
 */
export function attributes(): Attribute[] {
  const found = new Map<string, Attribute>()
  visit(composeSchema, [], (attribute) => {
    found.set(`${attribute.path.join('.')} ${attribute.class}`, attribute)
  })
  return [...found.values()].filter(({ path }) => path.length > 1)
}

function visit(schema: Schema, path: Path, add: (attribute: Attribute) => void): void {
  if (path.length > depthMax) return
  for (const form of formsOf(schema)) {
    const types = [form.type].flat()
    if (types.some((type) => type === 'integer' || type === 'number')) {
      add({ path, class: 'number', entry: undefined })
    }
    if (types.includes('string')) add({ path, class: 'text', entry: undefined })
    if (types.includes('array')) {
      const items = (form.items ?? {}) as Schema
      add({ path, class: 'list', entry: sample(items) })
      visit(items, [...path, 0], add)
    }
    if (types.includes('object')) visitObject(form, path, add)
  }
}

function visitObject(form: Schema, path: Path, add: (attribute: Attribute) => void): void {
  const properties = (form.properties ?? {}) as Record<string, Schema>
  for (const [name, schema] of Object.entries(properties)) visit(schema, [...path, name], add)
  const values = valuesOf(form)
  if (!values) return
  add({ path, class: 'mapping', entry: sample(values) })
  visit(values, [...path, 'a'], add)
}

/**
 * Returns the schema of the values of a mapping with free names, or undefined if its attributes are
 * fixed.
 */
function valuesOf(form: Schema): Schema | undefined {
  if (form.properties) return undefined
  const [free] = Object.values((form.patternProperties ?? {}) as Record<string, Schema>)
  const more = form.additionalProperties
  return free ?? (typeof more === 'object' && more !== null ? (more as Schema) : {})
}

/** Returns the alternatives that a schema allows, with references resolved. */
function formsOf(schema: Schema): Schema[] {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (name !== undefined) return formsOf(definitions[name] ?? {})
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  return alternatives ? alternatives.flatMap(formsOf) : [schema]
}

/** Returns a small value that a schema accepts. */
function sample(schema: Schema): unknown {
  const form = formsOf(schema).find(({ type }) => type !== 'null') ?? {}
  if (Array.isArray(form.enum)) return form.enum[0]
  const types = [form.type].flat()
  if (types.includes('string') || form.type === undefined) return 'x'
  if (types.includes('integer') || types.includes('number')) return 1
  if (types.includes('boolean')) return true
  if (types.includes('array')) return [sample((form.items ?? {}) as Schema)]
  const properties = (form.properties ?? {}) as Record<string, Schema>
  const required = (form.required ?? []) as string[]
  return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {})]))
}
