import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { present } from '../adapters/testing/present.ts'
import type { Node } from './schemas.ts'
import { toolDecisions } from './tool-decisions.ts'
import { toolsOf } from './tools.ts'

const read = (name: string): Node =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const document = read('openapi.json')
const tools = toolsOf(document)

test('every operation is decided once: a tool, or left out with a reason', () => {
  const ids = Object.values<Node>(document.paths).flatMap((methods) =>
    Object.values<Node>(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(ids.length).toBeGreaterThan(200)
  expect(toolDecisions.map(([id]) => id).sort()).toEqual(ids.sort())
  const reasons = toolDecisions.flatMap(([, one]) => (one.kind === 'left out' ? one.why : []))
  expect(reasons.filter((why) => why.length < 20)).toEqual([])
})

test('a tool that only reads sends a GET, or a POST that saves nothing', () => {
  const reading = tools.filter(({ plan }) => plan === null)
  const others = reading.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  expect(others.sort()).toEqual(['/stacks/validate', '/stacks/{name}/plan'])
})

test('no tool deletes', () => {
  expect(tools.filter(({ method }) => method === 'DELETE')).toEqual([])
})

test('a tool does not offer what its decision leaves out', () => {
  const schemas = new Map(tools.map((tool) => [tool.name, tool]))
  const wrong = toolDecisions.flatMap(([id, decision]) => {
    if (decision.kind === 'left out') return []
    const { inputSchema } = present(schemas.get(id.replace(/[.-]/g, '_')), id)
    const properties = Object.keys(inputSchema.properties)
    const offered = decision.without.filter((name) => properties.includes(name))
    return offered.map((name) => `${id}: ${name}`)
  })
  expect(wrong).toEqual([])
})

test('a tool that checks texts puts them beside no stored files, whose values it would quote', () => {
  const validate = tools.find(({ name }) => name === 'stacks_validate')
  expect(validate?.inputs).toEqual({
    path: [],
    query: [],
    body: ['compose', 'overlays', 'files', 'environment'],
  })
})

test('the inputs of every tool are a schema that an assistant can use alone', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { name, inputSchema, inputs } of tools) {
    expect(ajv.validateSchema(inputSchema), name).toBe(true)
    expect(JSON.stringify(inputSchema), name).not.toContain('$ref')
    const placed = [...inputs.path, ...inputs.query, ...inputs.body]
    const properties = Object.keys(inputSchema.properties).filter((one) => one !== 'plan')
    expect(properties, name).toEqual(placed)
  }
})

test('refuses a decision about an operation that is not there', () => {
  expect(() => toolsOf({ ...document, paths: {} })).toThrow(/there is no operation health\.get/)
})

test.each([
  ['StackDetails', 'env', 'stacks.get: there is no field env in a response'],
  ['StackToValidate', 'revision', 'stacks.validate: there is no input revision'],
])('refuses a decision that hides or leaves out what is not there: %s, %s', (of, name, problem) => {
  const changed = structuredClone(document)
  delete changed.components.schemas[of].properties[name]
  expect(() => toolsOf(changed)).toThrow(problem)
})
