import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { StartError, startTrouble } from './start-trouble.ts'

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
    `port ${port} is taken: stop what listens there, or choose another with SERVICE_PORT`,
  )
})

test('names a data directory that cannot be created', () => {
  const error = thrown(() => mkdirSync('/dev/null/data', { recursive: true }))
  expect(startTrouble(error)).toBe(
    '/dev/null/data: ENOTDIR: not a directory. Is the data directory (SERVICE_DATA_DIR) yours to write?',
  )
})

test('prints a known cause in one line, an unknown one with the stack trace', () => {
  expect(startTrouble(new StartError('no Java'))).toBe('no Java')
  expect(startTrouble(new TypeError('odd'))).toContain('start-trouble.test.ts')
})
