import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { tools } from './tool.ts'
import { argumentsOf, requestOf } from './tool-request.ts'

const toolNamed = (name: string) => present(tools.find((one) => one.name === name))

test('puts each argument where the API has it', () => {
  expect(
    requestOf(toolNamed('stacks_logs'), { name: 'shop', service: ['web', 'db'], tail: 20 }),
  ).toEqual({
    path: '/stacks/shop/logs',
    query: { service: ['web', 'db'], tail: '20' },
    body: undefined,
  })
  expect(requestOf(toolNamed('stacks_services_scale'), scaling)).toEqual({
    path: '/stacks/shop/services/web/scale',
    query: { wait: 'false' },
    body: { replicas: 3 },
  })
})

const scaling = { name: 'shop', service: 'web', replicas: 3 }

test('a name cannot lead to another path', () => {
  expect(requestOf(toolNamed('stacks_get'), { name: '../users?x=/y' }).path).toBe(
    '/stacks/..%2Fusers%3Fx%3D%2Fy',
  )
  expect(() => requestOf(toolNamed('stacks_get'), { name: '..' })).toThrow('".." is not a name')
})

test.each([
  ['stacks_get', {}, 'the argument name is missing'],
  ['stacks_get', { name: 'shop', nmae: 'x' }, 'stacks_get has no argument "nmae": it takes name'],
  ['stacks_get', { name: { a: 1 } }, 'name: must be a text, a number or a boolean'],
  ['health_get', JSON.parse('{"__proto__": 1}'), 'health_get has no argument "__proto__"'],
  ['stacks_update', { name: 'shop', env: 'A=1' }, 'stacks_update has no argument "env"'],
])('%s refuses %o', (name, given, said) => {
  expect(() => requestOf(toolNamed(name), given)).toThrow(said)
})

test('arguments may be left out, and are an object otherwise', () => {
  expect(argumentsOf(undefined)).toEqual({})
  expect(() => argumentsOf(['shop'])).toThrow('must be an object')
})
