import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isHarmless } from '../../../functions/core/unhandled.ts'

/** Runs a program with the handlers of the service, and returns what it logged. */
function run(body: string) {
  const program = `
    import { lastResort } from '${import.meta.dirname}/last-resort.ts'
    import { withWork } from '${import.meta.dirname}/work-context.ts'
    const error = (message, fields) =>
      console.log(JSON.stringify({ message, ...fields, error: fields.error.message }))
    const resort = lastResort({ error })
    const soon = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))
    ${body}
    await soon()
    console.log(JSON.stringify({ counts: resort.counts() }))
    process.exit(await Promise.race([resort.broken.then(() => 1), soon().then(() => 0)]))`
  const words = ['--import', 'tsx', '--input-type=module', '-e', program]
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const lines = stdout.split('\n').filter(Boolean)
  if (lines.length === 0) throw new Error(stderr)
  return { lines: lines.map((line) => JSON.parse(line)), status }
}

test('keeps serving after a rejection, and names the requests that started last', () => {
  const { lines, status } = run(
    `withWork({ requestId: 'r1' }, () => Promise.reject(new Error('a')))`,
  )
  expect(lines).toEqual([
    { message: 'unhandled rejection', request_id: null, recent_requests: ['r1'], error: 'a' },
    {
      counts: [
        { kind: 'rejection', count: 1 },
        { kind: 'exception', count: 0 },
      ],
    },
  ])
  expect(status).toBe(0)
})

test('names the request of every rejection after the first', () => {
  const { lines } = run(`
    void Promise.reject('not an error')
    await soon()
    const late = async () => { await soon(5); throw new Error('b') }
    withWork({ requestId: 'r1' }, () => withWork({ work: 'deploy' }, () => void late()))
    withWork({ requestId: 'r2' }, () => {})`)
  expect(lines[1]).toEqual({
    message: 'unhandled rejection',
    request_id: 'r1',
    work: 'deploy',
    error: 'b',
  })
})

test('keeps serving after an error of a socket that nothing listened to', () => {
  const { lines, status } = run(`
    const { Socket } = await import('node:net')
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    setTimeout(() => new Socket().emit('error', reset))`)
  expect(lines.at(-1)).toMatchObject({ counts: [{ count: 0 }, { kind: 'exception', count: 1 }] })
  expect(status).toBe(0)
})

test('ends with exit code 1 after any other exception', () => {
  const { lines, status } = run(`setTimeout(() => { throw new TypeError('half done') })`)
  expect(lines[0]).toMatchObject({ message: 'uncaught exception', error: 'half done' })
  expect(status).toBe(1)
})

test.each([
  [{ code: 'ECONNRESET', syscall: 'read' }, true],
  [{ code: 'ENOSPC', syscall: 'write' }, false],
  [{ code: 'ECONNRESET' }, false],
  [undefined, false],
])('an exception of %j is harmless: %s', (error, expected) => {
  expect(isHarmless(error)).toBe(expected)
})
