import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../adapters/testing/json.ts'
import { present } from '../adapters/testing/present.ts'
import { bodyFields, operationOf, responseFields } from './documents/described-requests.ts'
import { unknownCommands } from './documents/quoted-commands.ts'

const room = resolve(import.meta.dirname, '../examples/home-assistant')
const files = readdirSync(room).filter((name) => name.endsWith('.yaml'))
const textOf = (name: string) => readFileSync(join(room, name), 'utf8')
const secretTag = { tag: '!secret', resolve: (name: string) => `the secret ${name}` }
const documentOf = (name: string): Json => parse(textOf(name), { customTags: [secretTag] })

/** What a file asks the service for: `rest` reads, and `rest_command` reads or changes. */
function requestsOf(name: string): { method: string; address: string; entry: Json }[] {
  const { rest = [], rest_command: commands = {} } = documentOf(name)
  const entries: Json[] = [...rest, ...Object.values<Json>(commands)]
  return entries.map((entry) => ({
    method: (entry.method ?? 'get').toUpperCase(),
    address: addressOf(entry.resource ?? entry.url),
    entry,
  }))
}

const addressOf = (url: string) =>
  url.replace(/^https:\/\/stacks\.example\.org/, '').replace(/\{\{[^}]*\}\}/g, '{name}')

/** Returns the fields of responses that a template names. */
const fieldsIn = (template: string) =>
  [
    ...template.matchAll(/(?<=(?:select|reject)attr\(')\w+(?=')/g),
    ...template.matchAll(/(?<=value_json\[')\w+(?='\])/g),
    ...template.matchAll(/(?<=(?:value_json\[0\]|\bone|content|subject|newer)\.)\w+/g),
  ].map(([field]) => field)

/** Returns every text of a file that is a template, at any depth. */
function templatesIn(value: Json): string[] {
  if (typeof value === 'string') return value.includes('{{') ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values<Json>(value).flatMap(templatesIn)
}

const errorFields = ['error']

test('there are examples', () => {
  expect(files).toEqual(['sensors.yaml', 'updates.yaml'])
})

describe.each(files)('%s', (name) => {
  test('asks for paths and parameters that exist, with a credential', () => {
    const requests = requestsOf(name)
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) {
      expect(operationOf(request).responses).toHaveProperty('200')
      expect(request.entry.headers.Authorization).toContain('container_stacks_authorization')
    }
  })

  test('names the rights that its requests need, and no other', () => {
    const [, granted = ''] =
      / cli roles (?:create|update) home-assistant (.*)/.exec(textOf(name)) ?? []
    const needed = files
      .filter((one) => one <= name)
      .flatMap(requestsOf)
      .map((request) => operationOf(request)['x-permission'])
    expect(granted.split(' ').sort()).toEqual([...new Set(needed)].sort())
  })

  test('uses commands of the client that exist', async () => {
    const lines = textOf(name).match(/(?<=^# {3})cli .*$/gm) ?? []
    expect(lines.length).toBeGreaterThan(0)
    const text = `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
    expect(await unknownCommands([{ path: name, text }])).toEqual([])
  })
})

test('sensors read fields that their responses have', () => {
  for (const request of requestsOf('sensors.yaml')) {
    const fields = responseFields(operationOf(request))
    const { sensor = [], binary_sensor: binary = [] } = request.entry
    for (const one of [...sensor, ...binary]) {
      const named = [...fieldsIn(one.value_template), ...(one.json_attributes ?? [])]
      expect(named.filter((field) => !fields.has(field))).toEqual([])
    }
  }
})

test('updates read fields of `GET /updates` and `GET /stacks/{name}`', () => {
  const { template, script } = documentOf('updates.yaml')
  const ofUpdates = responseFields(operationOf({ method: 'GET', address: '/api/v1/updates' }))
  const named = templatesIn(template).flatMap(fieldsIn)
  expect(named).toContain('source_url')
  expect(named.filter((field) => !ofUpdates.has(field))).toEqual([])
  const ofStack = responseFields(operationOf({ method: 'GET', address: '/api/v1/stacks/{name}' }))
  const read = templatesIn(script).flatMap(fieldsIn)
  expect(read).toContain('deployed_revision')
  expect(read.filter((field) => !ofStack.has(field) && !errorFields.includes(field))).toEqual([])
})

test('the deploy sends fields that its body has, and gets the status that is checked', () => {
  const deploy = present(requestsOf('updates.yaml').find(({ method }) => method === 'POST'))
  const operation = operationOf(deploy)
  const text = textOf('updates.yaml')
  const body = present(/overlay: >-\n(.*)\n {6}- action/s.exec(text)?.[1])
  const sent = [...body.matchAll(/'(\w+)':/g)].map(([, field]) => field)
  expect(sent.sort()).toEqual(['dependencies', 'environment', 'pull', 'revision', 'services'])
  expect(bodyFields(operation)).toEqual(expect.arrayContaining(sent))
  expect(operation.responses).toHaveProperty('202')
  expect(text).toContain('started.status != 202')
})

test('every entity of the updates is one of the sensors', () => {
  const known = documentOf('sensors.yaml').rest.flatMap(({ sensor = [] }: Json) =>
    sensor.map((one: Json) => `sensor.${one.name.toLowerCase().replaceAll(' ', '_')}`),
  )
  const named = files.flatMap((name) => textOf(name).match(/\bsensor\.\w+/g) ?? [])
  expect(new Set(named)).toEqual(new Set(['sensor.container_updates']))
  expect(known).toContain('sensor.container_updates')
})

test('finds a path, a parameter and a method that do not exist', () => {
  const of = (method: string, address: string) => () => operationOf({ method, address })
  expect(of('GET', '/api/v1/update')).toThrow('the API has no GET /api/v1/update')
  expect(of('POST', '/api/v1/updates')).toThrow('the API has no POST')
  expect(of('GET', '/api/v1/updates?hosts=all')).toThrow('has no parameter hosts')
})
