import { expect, test } from 'vitest'
import { functionConfig } from './function-config.ts'

const given = { SERVICE_DATA_DIR: '/keys', SERVICE_DYNAMODB_TABLE: 'a-table' }

test('reads the variables of the service', () => {
  const { dataDirectory, store } = functionConfig(given)
  expect([dataDirectory, store.kind, store.table]).toEqual(['/keys', 'dynamodb', 'a-table'])
})

test.each([
  ['SERVICE_DATA_DIR', { SERVICE_DATA_DIR: '' }],
  ['SERVICE_STORE', { SERVICE_STORE: 'sqlite' }],
  ['SERVICE_LOG_LEVEL', { SERVICE_LOG_LEVEL: 'loud' }],
])('names %s if it does not fit', (name, changes) => {
  expect(() => functionConfig({ ...given, ...changes })).toThrow(name)
})
