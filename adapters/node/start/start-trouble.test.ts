import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import { StartError } from '../process/start-error.ts'
import { startTrouble } from './start-trouble.ts'

const thrown = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

test('names a port in use, with a remedy', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, resolve))
  const { port } = first.address() as { port: number }
  const error = await new Promise((resolve) => createServer().on('error', resolve).listen(port))
  first.close()
  expect(startTrouble(error)).toBe(
    `port ${port} is in use: stop the program that listens there, or choose another port with SERVICE_PORT`,
  )
})

test('names a data directory that cannot be created', () => {
  const error = thrown(() => mkdirSync('/dev/null/data', { recursive: true }))
  expect(startTrouble(error)).toBe(
    '/dev/null/data: ENOTDIR: not a directory. Check that the data directory (SERVICE_DATA_DIR) is writable.',
  )
})

test('names a store that does not respond, with its cause', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:9')
  expect(startTrouble(internalError('The store does not respond', { cause }))).toBe(
    'The store does not respond: connect ECONNREFUSED 127.0.0.1:9',
  )
})

test('prints a known cause in one line, an unknown one with the stack trace', () => {
  expect(startTrouble(new StartError('no Java'))).toBe('no Java')
  expect(startTrouble(new TypeError('odd'))).toContain('start-trouble.test.ts')
})
