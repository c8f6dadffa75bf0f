import { expect, test } from 'vitest'
import type { z } from 'zod'
import { check } from '../functions/kit/issues.ts'
import { definitionOf, listed, unwrapped } from '../functions/kit/schema-path.ts'
import type { ValidatedFacts } from '../functions/kit/validate.ts'
import fc from '../local/harness/properties.ts'
import { feeds, routes } from '../serverless.ts'

/** Values that few schemas accept: of another type, too long, too large, or no valid text. */
const hostile: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[undefined, null, true, 0, -1, 1.5, 2 ** 53, {}, [], [[]], { kind: 'none' }],
  ...['', ' ', 'a b', 'a/', '..', '\0', '61 * * * *', 'x'.repeat(600), 'a/'.repeat(300)],
)

/** Returns values in the shape of a schema, in which any part may be hostile. */
function nearly(schema: z.ZodType, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 6) return hostile
  return fc.oneof(
    { weight: 1, arbitrary: hostile },
    { weight: 2, arbitrary: shaped(schema, depth) },
  )
}

function shaped(schema: z.ZodType, depth: number): fc.Arbitrary<unknown> {
  const { schema: own } = unwrapped(schema)
  const { type, shape, options, element, keyType, valueType } = definitionOf(own)
  const inner = (one: z.ZodType) => nearly(one, depth + 1)
  if (shape) {
    const fields = Object.entries(shape).map(([name, one]) => [name, inner(one)] as const)
    return fc.record({ ...Object.fromEntries(fields), none: hostile }, { requiredKeys: [] })
  }
  if (options) return fc.oneof(...options.map((one) => shaped(one, depth)))
  if (element) return fc.array(inner(element), { maxLength: 3 })
  if (keyType && valueType) return fc.dictionary(fc.constantFrom('a', 'A b', ''), inner(valueType))
  if (type === 'enum' || type === 'literal') return fc.constantFrom(...listed(own))
  if (type === 'number') return fc.integer({ min: -2, max: 1000 })
  return type === 'boolean' ? fc.boolean() : fc.string({ maxLength: 3 })
}

/** Returns what a request is refused with, or an empty text. */
function messageOf(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): string {
  try {
    check(schema, value, where)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const repeated = /(?<!\S)(\S+ \S+) \1(?!\S)/

/** Returns what a message says twice: two words in a row, "must" in one problem, or a place. */
function saidTwice(message: string): string | undefined {
  const problems = message.split(/; (?!allowed: |none is allowed)/)
  const places = problems.map((problem) => problem.slice(0, problem.indexOf(': ')))
  const place = places.find((one, at) => places.indexOf(one) !== at)
  const words = problems.find((one) => repeated.test(one) || /\bmust\b.*\bmust\b/.test(one))
  return place ?? words
}

test('no message about a request says anything twice', async () => {
  const found = new Set<string>()
  let refused = 0
  for (const [line, load] of [...Object.entries(routes), ...Object.entries(feeds)]) {
    const { path, query, body } = (await load()).default.facts as ValidatedFacts
    for (const [where, schema] of Object.entries({ path, query, body })) {
      if (!schema) continue
      for (const value of fc.sample(nearly(schema), 20)) {
        const message = messageOf(schema, value, where as 'body')
        if (message !== '') refused += 1
        if (saidTwice(message) !== undefined) found.add(`${line}: ${message}`)
      }
    }
  }
  expect(refused).toBeGreaterThan(2000)
  expect([...found].sort()).toEqual([])
})
