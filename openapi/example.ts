import { named, words } from './example-words.ts'
import type { Node } from './schemas.ts'

/**
 * Returns an example of a schema: its own `examples`, or one generated from its parts with the
 * field's name as a hint. Throws for a pattern that no known word matches; such a schema needs its
 * own example.
 */
export function exampleOf(schema: Node, components: Node, name = '', depth = 0): unknown {
  if (schema.$ref) {
    const target = components[String(schema.$ref).split('/').at(-1) ?? '']
    return exampleOf(target, components, name, depth + 1)
  }
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options: Node[] | undefined = schema.anyOf ?? schema.oneOf
  if (options) return exampleOf(options[0] ?? {}, components, name, depth)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part: Node) => exampleOf(part, components, name)))
  }
  return ofType(schema, components, name, depth)
}

function ofType(schema: Node, components: Node, name: string, depth: number): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return object(schema, components, depth)
  if (type === 'array') {
    const item = schema.items && depth < 8 ? [schema.items] : []
    const least = Math.max(1, schema.minItems ?? 0)
    const one = item.map((it) => exampleOf(it, components, singular(name), depth + 1))
    return Array.from({ length: one.length ? least : 0 }, () => one[0])
  }
  if (type === 'string') return string(schema, name)
  if (type === 'integer' || type === 'number') return number(schema, name)
  if (type === 'boolean') return (named[name] as boolean | undefined) ?? schema.default ?? false
  return type === 'null' ? null : (named[name] ?? 'text')
}

function object(schema: Node, components: Node, depth: number): unknown {
  const out: Node = {}
  for (const [key, part] of Object.entries<Node>(schema.properties ?? {})) {
    const required = schema.required?.includes(key)
    if (required || depth < 3) out[key] = exampleOf(part, components, key, depth + 1)
  }
  const more = schema.additionalProperties
  if (!schema.properties && typeof more === 'object') {
    out[key(schema)] = exampleOf(more, components, '', depth + 1)
  }
  return out
}

const key = (schema: Node) =>
  schema.propertyNames ? String(string(schema.propertyNames, '')) : 'com.example.team'

function string(schema: Node, name: string): string {
  const hint = named[name]
  const candidates = [hint, schema.default, ...(words[schema.format] ?? []), ...(words.plain ?? [])]
  const text = schema.pattern ?? schema['x-pattern']
  const pattern = text ? new RegExp(text, 'u') : undefined
  const found = candidates.find(
    (word) =>
      typeof word === 'string' &&
      word.length >= (schema.minLength ?? 0) &&
      word.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
      (!schema.format || word !== hint || fits(schema.format, word)) &&
      (pattern?.test(word) ?? true),
  )
  if (found !== undefined) return found as string
  throw new Error(
    `no example fits ${name || 'a string'} ${JSON.stringify(schema)}: add .meta({ examples })`,
  )
}

const fits = (format: string, word: string) => (words[format] ?? [word]).includes(word)

function number(schema: Node, name: string): number {
  const hint = named[name]
  const value = typeof hint === 'number' ? hint : (schema.default ?? 1)
  return Math.min(
    Math.max(value, schema.minimum ?? value),
    schema.maximum ?? Number.POSITIVE_INFINITY,
  )
}

const singular = (name: string) => name.replace(/s$/, '')
