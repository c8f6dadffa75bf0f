import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { Json } from '../adapters/testing/json.ts'
import type { ValidatedFacts } from '../functions/kit/validate.ts'
import { feeds, routes } from '../serverless.ts'

interface Node {
  checks?: { _zod: { def: Check } }[]
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
}

interface Check {
  check: string
  format?: string
  /** The condition of a refinement. Checks that report issues themselves have none. */
  fn?: unknown
  error?: (issue: object) => string
}

/** Returns the checks of a schema and of everything in it that have a pattern or a condition. */
function checksIn(schema: z.ZodType, place: string): [string, Check][] {
  const node = schema._zod.def as unknown as Node
  const { options = [], innerType, element, keyType, valueType } = node
  const inside = [...options, innerType, node.in, element, keyType, valueType]
  const own = (node.checks ?? []).map(({ _zod }) => _zod.def)
  const worded = own.filter(
    ({ check, format, fn }) =>
      (check === 'custom' && fn !== undefined) || (check === 'string_format' && format === 'regex'),
  )
  return [
    ...worded.map((check): [string, Check] => [place, check]),
    ...inside.flatMap((one) => (one ? checksIn(one, place) : [])),
    ...Object.entries(node.shape ?? {}).flatMap(([name, one]) => checksIn(one, `${place}.${name}`)),
  ]
}

test('each pattern and condition of a request says in words what fits', async () => {
  const found: [string, Check][] = []
  for (const [line, load] of [...Object.entries(routes), ...Object.entries(feeds)]) {
    const { path, query, body } = (await load()).default.facts as ValidatedFacts
    for (const [part, schema] of Object.entries({ path, query, body })) {
      if (schema) found.push(...checksIn(schema, `${line} ${part}`))
    }
  }
  expect(found.length).toBeGreaterThan(100)
  const silent = found.flatMap(([place, { error }]) => {
    const said = error?.({ code: 'custom', input: '' })
    return typeof said === 'string' && said.startsWith('must ') ? [] : `${place}: ${said}`
  })
  expect(silent).toEqual([])
})

test('every request that names a host takes an id or a name', async () => {
  const loaded = await Promise.all(
    [...Object.entries(routes), ...Object.entries(feeds)].map(async ([line, load]) => {
      const { facts } = (await load()).default
      return { line, ...facts } as { line: string; query?: Json; body?: Json }
    }),
  )
  const found = loaded.flatMap(({ line, query, body }) =>
    [query, body].flatMap((schema) => {
      const host = schema?.shape?.host
      // The mail server of a channel is no host of ours.
      return host && !line.includes('alert-channels')
        ? [[line, host.meta()?.description ?? host.unwrap?.().meta()?.description]]
        : []
    }),
  )
  expect(found.length).toBeGreaterThan(15)
  for (const [line, description] of found) expect([line, description]).toEqual([line, idOrName])
})

const idOrName = expect.stringMatching(/\bid or name\b/i)
