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

test('a port that is taken is named, with the way out', async () => {
  const first = createServer()
  await new Promise<void>((resolve) => first.listen(0, resolve))
  const { port } = first.address() as { port: number }
  const error = await new Promise((resolve) => createServer().on('error', resolve).listen(port))
  first.close()
  expect(startTrouble(error)).toBe(
    `port ${port} is taken: stop what listens there, or choose another with SERVICE_PORT`,
  )
})

test('a data directory that cannot be made is named', () => {
  const error = thrown(() => mkdirSync('/dev/null/data', { recursive: true }))
  expect(startTrouble(error)).toBe(
    '/dev/null/data: ENOTDIR: not a directory. Is the data directory (SERVICE_DATA_DIR) yours to write?',
  )
})

test('what is known is said in one line, what is not with its place', () => {
  expect(startTrouble(new StartError('no Java'))).toBe('no Java')
  expect(startTrouble(new TypeError('odd'))).toContain('start-trouble.test.ts')
})
