import { readFile } from 'node:fs/promises'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Json } from '../adapters/testing/json.ts'
import { reasonNames } from '../functions/core/errors.ts'
import { permissions } from '../functions/core/records/permissions.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { feeds, prefix, routes } from '../serverless.ts'
import { render } from './render.ts'
import type { Node } from './schemas.ts'

const { json, yaml, ids, tools } = await render()
const document: Node = JSON.parse(json)
const entries = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(([method, entry]) => ({
    name: `${method.toUpperCase()} ${path}`,
    entry,
  })),
)

describe('the description', () => {
  test('is committed as it would be generated now: npm run openapi', async () => {
    const committed = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
    expect(await committed('openapi.json')).toBe(json)
    expect(await committed('openapi.yaml')).toBe(yaml)
    expect(await committed('operation-ids.json')).toBe(ids)
    expect(await committed('../cli/mcp/tools.json')).toBe(tools)
  })

  test('is valid OpenAPI 3.1', async () => {
    const result = await validate(
      'https://spec.openapis.org/oas/3.1/schema-base',
      document,
      'DETAILED',
    )
    expect(result.valid, JSON.stringify(result, null, 1).slice(0, 4000)).toBe(true)
  })

  test('has an entry for every route and feed, and one of these for every entry', () => {
    const manifest = [
      ...routesOf(routes).map(({ method, path }) => `${method} ${path}`),
      ...Object.keys(feeds).map((path) => `GET ${path}`),
    ]
    expect(entries.map(({ name }) => name).sort()).toEqual(manifest.sort())
    expect(document.servers[0].url).toBe(prefix)
  })

  test('has the three public paths of the specification, without a credential', () => {
    for (const path of ['/openapi.json', '/openapi.yaml', '/docs']) {
      expect(document.paths[path].get.security).toEqual([])
    }
  })

  test('refers to nothing that is not there', () => {
    const references = [...json.matchAll(/"\$ref": "([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(entries.length)
    for (const [, ref = ''] of references) {
      const target = ref
        .slice(2)
        .split('/')
        .reduce((node: Json, part) => node?.[part], document)
      expect(target, ref).toBeDefined()
    }
  })

  test('gives every entry an id of its own', () => {
    const given = entries.map(({ entry }) => entry.operationId)
    expect(new Set(given).size).toBe(given.length)
  })

  test('keeps the ids that were ever given', () => {
    const given = Object.fromEntries(entries.map(({ name, entry }) => [name, entry.operationId]))
    expect(given).toMatchObject({
      'GET /stacks': 'stacks.list',
      'POST /stacks/{name}/deploy': 'stacks.deploy',
      'GET /ws/exec/{id}': 'feeds.exec',
    })
    expect(given).toEqual(JSON.parse(ids))
  })

  test('describes every property, parameter and tag', () => {
    const missing = [...undescribed(document.components, 'components')]
    for (const { name, entry } of entries) missing.push(...undescribed(entry, name))
    missing.push(...undescribed(document.webhooks, 'webhooks'))
    for (const { name, description } of document.tags) if (!description) missing.push(name)
    expect(missing).toEqual([])
  })
})

test('lists the reasons of failures, and names them where they are sent', () => {
  const { schema, description } = document.components.headers['X-Error-Reason']
  expect(schema.$ref).toBe('#/components/schemas/Reason')
  expect(document.components.schemas.Reason.enum).toEqual(reasonNames)
  for (const name of reasonNames) expect(description).toContain(`- \`${name}\`: `)
  for (const { name, entry } of entries) {
    for (const [status, response] of Object.entries<Node>(entry.responses)) {
      const at = response.$ref
        ? document.components.responses[response.$ref.split('/').at(-1)]
        : response
      const isReasoned = ['403', '409', '422', '500'].includes(status)
      expect(at.headers['X-Error-Reason'] !== undefined, `${name} ${status}`).toBe(isReasoned)
    }
  }
})

test('says of every operation who may call it', () => {
  expect(entries.length).toBeGreaterThan(100)
  for (const { name, entry } of entries) {
    if (entry['x-permission']) expect.soft(permissions, name).toContain(entry['x-permission'])
    const ways = entry.responses[101] ? [{ bearer: [] }, { ticket: [] }] : [{ bearer: [] }]
    expect.soft([[], ways], name).toContainEqual(entry.security)
    const common = entry.security.length > 0 ? ['400', '401', '403', '500'] : ['400', '500']
    const statuses = Object.keys(entry.responses)
    expect.soft(statuses, name).toEqual(expect.arrayContaining(common))
  }
})

test('caps the lists of every operation and says so', () => {
  let lists = 0
  for (const { name, entry } of entries) {
    for (const response of successes(entry)) {
      const schema = response.content?.['application/json']?.schema
      for (const list of listsIn(schema)) {
        lists += 1
        expect.soft(list.maxItems, `${name}: give the list a .max()`).toBeGreaterThan(0)
        expect.soft(response.headers, name).toHaveProperty('X-Result-Truncated')
      }
    }
  }
  expect(lists).toBeGreaterThan(30)
})

test('has examples that are what they stand for', () => {
  let examples = 0
  for (const { name, entry } of entries) {
    for (const { schema, example } of examplesIn(entry)) {
      examples += 1
      const fits = compiled(schema)
      const problem = () => `${name}: ${JSON.stringify(example)}\n${JSON.stringify(fits.errors)}`
      expect.soft(fits(example) || problem()).toBe(true)
    }
  }
  expect(examples).toBeGreaterThan(200)
})

test('says where to follow what a 202 started, and where to read what a 201 created', () => {
  // The caller of a hook may read nothing.
  const accepting = entries.filter(
    ({ name, entry }) => entry.responses[202] && name !== 'POST /hooks/{id}',
  )
  expect(accepting.length).toBeGreaterThan(10)
  for (const { name, entry } of accepting) {
    expect.soft(Object.keys(entry.responses[202].headers), name).toContain('Location')
    expect.soft(Object.keys(entry.responses[202].headers), name).toContain('X-Operation-Id')
  }
  const readable = entries.filter(
    ({ name, entry }) => entry.responses[201] && isReadById(name.replace('POST ', '')),
  )
  expect(readable.length).toBeGreaterThan(5)
  for (const { name, entry } of readable) {
    expect.soft(Object.keys(entry.responses[201].headers), name).toContain('Location')
  }
})

const isReadById = (path: string) => document.paths[`${path}/{id}`]?.get !== undefined

/** Returns the places of properties and parameters without a description. */
function undescribed(node: Json, place: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = [
    ...Object.entries<Node>(isSchema(node) ? node.properties : {}),
    ...(Array.isArray(node.parameters) ? node.parameters : []).map((one: Node) => [one.name, one]),
  ].filter(([, one]) => !one.description)
  const below = Object.entries<Json>(node)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, child]) => undescribed(child, `${place} ${key}`))
  return [...own.map(([name]) => `${place} ${name}`), ...below]
}

const isSchema = (node: Node) => node.type === 'object' && typeof node.properties === 'object'

const successes = (entry: Node) =>
  Object.entries<Node>(entry.responses).flatMap(([status, it]) => (status < '300' ? [it] : []))

/** Returns the lists that a response may be, alone or as one of several shapes. */
function listsIn(schema: Node | undefined): Node[] {
  if (schema?.type === 'array') return [schema]
  return (schema?.anyOf ?? schema?.oneOf ?? []).flatMap((option: Node) => listsIn(option))
}

function examplesIn(entry: Node): { schema: Node; example: unknown }[] {
  const contents = [entry.requestBody, ...Object.values<Node>(entry.responses)]
  const media = contents.flatMap((it) => Object.values<Node>(it?.content ?? {}))
  const messages = entry['x-messages'] ?? {}
  const named = media.flatMap(({ schema, examples = {} }) =>
    Object.values<Node>(examples).map(({ value }) => ({ schema, example: value })),
  )
  const single = [...media, messages, ...(entry.parameters ?? [])].filter((it) => 'example' in it)
  return [...single, ...named] as never
}

const address = 'https://example.com/description'
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: address, components: document.components })

function compiled(schema: Node) {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${address}#/`)))
}
