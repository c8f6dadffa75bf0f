import { z } from 'zod'

/** An object of the description. Its members are typed as JSON.parse types them. */
export type Node = Record<string, ReturnType<typeof JSON.parse>>

/**
 * Converts zod schemas to the dialect of OpenAPI 3.1. A schema with `.meta({ id: 'Stack' })`
 * becomes a component of that name, and a reference wherever it is used. `components` holds all
 * components converted so far.
 */
export interface SchemaBook {
  /** Returns the schema as a caller writes it: before defaults and conversions. */
  input(schema: z.ZodType): Node
  /** Returns the schema as the service writes it. */
  output(schema: z.ZodType): Node
  readonly components: Node
}

/** Returns an empty book. It throws if two schemas of different shape have the same id. */
export function schemaBook(): SchemaBook {
  const components: Node = {}
  const convert = (schema: z.ZodType, io: 'input' | 'output') => {
    const wrapped: Node = z.toJSONSchema(z.object({ root: schema }), {
      io,
      unrepresentable: 'any',
      override: tidy,
    })
    const { $defs = {}, properties } = localised(wrapped)
    for (const [id, shape] of Object.entries($defs)) keep(components, id, shape)
    return properties.root as Node
  }
  return {
    components,
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
  }
}

function keep(components: Node, id: string, shape: unknown) {
  const known = components[id]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shape)) {
    throw new Error(`two different schemas have the id ${id}: give each an id of its own`)
  }
  components[id] = shape
}

function localised(schema: Node): Node {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text, (_key, value) => portable(value))
}

/**
 * Moves a pattern with classes of Unicode, such as `\p{L}`, to `x-pattern`: few programs that read
 * descriptions compile them.
 */
function portable(value: Node[string]): Node[string] {
  if (typeof value?.pattern !== 'string' || !value.pattern.includes('\\p{')) return value
  const { pattern, ...rest } = value
  return { ...rest, 'x-pattern': pattern }
}

/**
 * Says which field chooses between the shapes of a union, and which value stands for which: without
 * it generators try one shape after another. Each shape needs an id, as OpenAPI has no names else.
 */
function discriminatorOf({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef) {
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option as z.ZodType)?.id
    const values = [...(option._zod.propValues?.[discriminator] ?? [])]
    if (!id)
      throw new Error(`the shape for ${discriminator} ${values} has no id: add .meta({ id })`)
    return values.map((value) => [value, `#/components/schemas/${id}`])
  })
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) }
}

/**
 * Removes details that tell a reader nothing, and lets responses gain fields without breaking
 * clients.
 */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Node }): void {
  const { def } = zodSchema._zod
  if (def.type === 'union' && 'discriminator' in def) {
    jsonSchema.discriminator = discriminatorOf(def as z.core.$ZodDiscriminatedUnionDef)
  }
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}')
    delete jsonSchema.propertyNames
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // zod omits the default of a schema that converts, because it is not of the type that is sent.
  const meta: Node = z.globalRegistry.get(zodSchema) ?? {}
  if (meta.default !== undefined) jsonSchema.default = meta.default
  if (jsonSchema.type === 'string' && jsonSchema.default !== undefined) {
    jsonSchema.default = String(jsonSchema.default)
  }
}
