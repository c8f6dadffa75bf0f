import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { internalError } from '../core/errors.ts'
import get from './get.ts'

test('200: returns the version of the package without a credential', async () => {
  const { status, json } = await call(get)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([status, json]).toEqual([200, { status: 'ok', version }])
})

test('500: the disk is full', async () => {
  const ports = memoryPorts()
  ports.selfCheck.writable = async () => {
    throw internalError('the data disk of the service is full')
  }
  const { status, json } = await call(get, { ports })
  expect([status, json]).toEqual([500, { error: 'the data disk of the service is full' }])
})

test('500: the store does not respond', async () => {
  const ports = memoryPorts()
  ports.accounts.any = async () => {
    throw internalError('The store does not respond')
  }
  const { status, json } = await call(get, { ports })
  expect([status, json]).toEqual([500, { error: 'The store does not respond' }])
})
