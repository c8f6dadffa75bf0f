import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../adapters/testing/json.ts'
import { bodyFields, operationOf, responseFields } from './documents/described-requests.ts'

const room = resolve(import.meta.dirname, '../examples/ansible')
const files = readdirSync(room).filter((name) => name.endsWith('.yaml'))
const textOf = (name: string) => readFileSync(join(room, name), 'utf8')

/** Returns the variables of every task that sends a request, at any depth. */
function sendingIn(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values<Json>(value).flatMap(sendingIn)
  return typeof value.vars?.request === 'string' ? [value.vars, ...inside] : inside
}

const tasks = files.flatMap((name) => sendingIn(parse(textOf(name))))

/** `POST {{ path }}/plan` → the operation. The only `Location` is that of a deployment. */
function operationFor(request: string): Json {
  const [method = '', address = ''] = request
    .replaceAll('{{ path }}', '/api/v1/stacks/{name}')
    .replace(/\{\{ answer\.location .*?\}\}/, '/api/v1/stacks/{name}/deployments/{id}')
    .split(' ')
  return operationOf({ method, address })
}

/** Returns the fields of a body: an object, or a template that makes one. */
const fieldsOf = (body: Json): string[] =>
  typeof body === 'string'
    ? [...body.matchAll(/'(\w+)':/g)].map(([, field = '']) => field)
    : Object.keys(body)

test('the playbook sends requests', () => {
  expect(tasks.length).toBeGreaterThan(6)
})

test.each(tasks.map((task) => [task.request as string, task] as const))(
  '%s exists, with the fields of its body and the expected statuses',
  (request, { body = {}, expected = [200] }) => {
    const operation = operationFor(request)
    const known = bodyFields(operation)
    expect(fieldsOf(body).filter((field) => !known.includes(field))).toEqual([])
    for (const status of expected) expect(operation.responses).toHaveProperty(String(status))
  },
)

test('the playbook reads fields that a response has', () => {
  const fields = new Set(tasks.flatMap(({ request }) => [...responseFields(operationFor(request))]))
  const text = files.map(textOf).join('\n')
  const read = [
    ...text.matchAll(/answer\.json\.(\w+)/g),
    ...text.matchAll(/map\(attribute='(\w+)'\)/g),
  ].map(([, field = '']) => field)
  expect(read).toContain('status')
  expect(read.filter((field) => !fields.has(field))).toEqual([])
})
