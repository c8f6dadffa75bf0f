import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import type { Json } from '../adapters/testing/json.ts'
import { render } from './render.ts'
import type { Node } from './schemas.ts'

/** What generators of clients need, which a valid description may lack. */

const document: Node = JSON.parse((await render()).json)
const { schemas } = document.components
const nodes = [...nodesIn(document, '')]

test('each pattern compiles in RE2, which Go and Rust have', () => {
  const patterns = nodes.flatMap(([place, { pattern }]) =>
    typeof pattern === 'string' ? [[place, pattern] as const] : [],
  )
  expect(patterns.length).toBeGreaterThan(50)
  const refused = patterns.filter(([, pattern]) => !compiles(pattern))
  expect(refused).toEqual([])
})

test('what RE2 refuses is found: lookahead and back references', () => {
  expect(['a(?=b)', '(a)\\1', '(?<!a)b'].filter(compiles)).toEqual([])
  expect(compiles('^[a-z]{1,64}(?::\\d+)?$')).toBe(true)
})

test('each format is one of JSON Schema or OpenAPI', () => {
  const formats = nodes.flatMap(([, { format }]) => (typeof format === 'string' ? [format] : []))
  expect([...new Set(formats)].sort()).toEqual(['date-time', 'email', 'uri'])
})

test('each time has the format of a time', () => {
  const times = propertiesNamed(/(_at|^time|^since|^latest)$/)
  expect(times.length).toBeGreaterThan(60)
  const plain = times.filter(
    ([, schema]) => isKind(schema, 'string') && formatOf(schema) !== 'date-time',
  )
  expect(plain.map(([place]) => place)).toEqual([])
})

test('bytes and counts are integers', () => {
  const sizes = propertiesNamed(
    /^(memory|memory_total|memory_limit|disk|disk_total|cpus|pids|size|bytes|stored_bytes|revision|total|network_[rt]x|block_(read|write))$/,
  )
  expect(sizes.length).toBeGreaterThan(30)
  const fractions = sizes.filter(([, schema]) => isKind(schema, 'number'))
  expect(fractions.map(([place]) => place)).toEqual([])
})

test('an enum that several shapes have is a component', () => {
  const places = new Map<string, string[]>()
  for (const [place, { enum: values }] of nodes) {
    if (!Array.isArray(values) || !/^\/components\/schemas\/\w+\//.test(place)) continue
    places.set(values.join(), [...(places.get(values.join()) ?? []), place])
  }
  const named = Object.values<Node>(schemas).filter((it) => Array.isArray(it.enum))
  const isNamed = (values: string) => named.some((it) => it.enum.join() === values)
  expect(named.length).toBeGreaterThan(15)
  const again = [...places].filter(([values, all]) => all.length > 1 || isNamed(values))
  expect(again).toEqual([])
})

test('a union of kinds says which field chooses, and by which value', () => {
  const unions = nodes.filter(([, it]) => it.oneOf?.every((shape: Node) => kindOf(resolved(shape))))
  expect(unions.length).toBeGreaterThan(4)
  for (const [place, { oneOf, discriminator }] of unions) {
    const values = oneOf.map((shape: Node) => [kindOf(resolved(shape)), shape.$ref])
    expect(discriminator, place).toEqual({
      propertyName: 'kind',
      mapping: Object.fromEntries(values),
    })
  }
})

test('a body is required only if the service refuses a request without one', () => {
  const required = (path: string, method: string) =>
    document.paths[path][method].requestBody.required
  expect(required('/stacks/{name}/deploy', 'post')).toBe(false)
  expect(required('/stacks/{name}/plan', 'post')).toBe(false)
  expect(required('/backup-runs/{id}/restore', 'post')).toBe(false)
  expect(required('/stacks', 'post')).toBe(true)
})

/** Yields each object of a document with its place, except those that are examples. */
function* nodesIn(node: Json, place: string): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [place, node]
  for (const [key, child] of Object.entries<Json>(node)) {
    if (!/^(example|examples|default)$/.test(key)) yield* nodesIn(child, `${place}/${key}`)
  }
}

const propertiesNamed = (name: RegExp) =>
  nodes.flatMap(([place, { properties }]) =>
    Object.entries<Node>(typeof properties === 'object' ? properties : {})
      .filter(([key]) => name.test(key))
      .map(([key, schema]) => [`${place}/${key}`, resolved(schema)] as const),
  )

/** Returns a schema without the `null` that it may also be. */
function resolved(schema: Node): Node {
  if (schema.$ref) return resolved(schemas[String(schema.$ref).split('/').at(-1) ?? ''])
  const others = schema.anyOf?.filter(({ type }: Node) => type !== 'null')
  return others?.length === 1 ? resolved(others[0]) : schema
}

const isKind = ({ type }: Node, kind: string) => type === kind || type?.includes?.(kind)
const formatOf = (schema: Node): unknown => schema.format
const kindOf = (schema: Node): unknown => schema.properties?.kind?.const

function compiles(pattern: string) {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}
