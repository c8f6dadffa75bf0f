import { expect, test } from 'vitest'
import { createLog, type LogLevel } from './logger.ts'

/** Returns a log, and the lines that it wrote. */
function logged(level: LogLevel = 'info') {
  const written: string[] = []
  const log = createLog(level, { write: (text) => written.push(text), on: () => {} })
  const lines = async () => {
    await expect.poll(() => written.join(''), { interval: 2 }).toMatch(/\n$/)
    return written
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }
  return { log, lines, written }
}

test('writes each line as one JSON object with only its own fields', async () => {
  const { log, lines } = logged()
  log.info('one', { request_id: 'a', user: null })
  log.warn('two')
  expect(await lines()).toEqual([
    {
      level: 'INFO',
      message: 'one',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'container-stacks',
      request_id: 'a',
      user: null,
    },
    { level: 'WARN', message: 'two', timestamp: expect.any(String), service: 'container-stacks' },
  ])
})

test('writes each line at once without a pause', () => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text), on: () => {} }
  const log = createLog('info', stream, 0)
  log.info('one')
  expect(written).toHaveLength(1)
  log.info('two')
  expect(written).toHaveLength(2)
})

test('writes simultaneous lines together', async () => {
  const { log, lines, written } = logged()
  for (let count = 0; count < 100; count += 1) log.info('line\nbreak', { count })
  expect(await lines()).toHaveLength(100)
  expect(written).toHaveLength(1)
})

test('writes large output at once', () => {
  const { log, written } = logged()
  log.info('a'.repeat(70_000))
  expect(written).toHaveLength(1)
})

test('writes an error with its cause', async () => {
  const { log, lines } = logged()
  log.error('failed', { error: new Error('outer', { cause: new Error('inner') }) })
  const [line] = await lines()
  expect(line).toMatchObject({ level: 'ERROR', error: { name: 'Error', message: 'outer' } })
  expect(JSON.stringify(line)).toContain('inner')
})

test('handles a circular value', async () => {
  const { log, lines } = logged()
  const loop: Record<string, unknown> = { size: 10n }
  loop.self = loop
  log.info('loop', { loop })
  expect(await lines()).toMatchObject([{ loop: { size: '10' } }])
})

test('omits lines below the level', async () => {
  const { log, lines } = logged('error')
  log.info('no')
  log.warn('no')
  log.error('yes')
  expect(await lines()).toMatchObject([{ message: 'yes' }])
})
