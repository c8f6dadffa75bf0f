import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../folder.ts'
import { type FunctionOptions, lambdaFunction } from './function-process.ts'

/** Returns a function with this handler, which is removed at the end of the test. */
async function functionWith(code: string, options: Partial<FunctionOptions> = {}) {
  const folder = await temporaryFolder({
    'main.js': code,
    'package.json': '{"type":"module"}',
  })
  const one = lambdaFunction({
    directory: folder.directory,
    environment: { GIVEN: 'yes' },
    ...options,
  })
  onTestFinished(async () => {
    await one.end()
    await folder[Symbol.asyncDispose]()
  })
  return one
}

const handling = (body: string) => `let calls = 0
export const handler = async (event, context) => { calls += 1; ${body} }`

test('a process serves one call after the other, with its own environment', async () => {
  const one = await functionWith(
    handling('return { calls, event, names: Object.keys(process.env).sort() }'),
  )
  const answers = await Promise.all([one.call('{"a":1}'), one.call('{"a":2}')])
  const names = ['AWS_LAMBDA_RUNTIME_API', 'GIVEN', 'LAMBDA_TASK_ROOT']
  expect(answers.map((ended) => 'response' in ended && JSON.parse(ended.response))).toEqual([
    { calls: 1, event: { a: 1 }, names },
    { calls: 2, event: { a: 2 }, names },
  ])
})

test('nothing runs between two calls, also not in a child', async () => {
  const one = await functionWith(
    `import { spawn } from 'node:child_process'
const child = spawn('sleep', ['600'])
export const handler = async () => child.pid`,
  )
  const ended = await one.call('{}')
  const child = 'response' in ended ? ended.response : ''
  const stateOf = (pid: unknown) =>
    /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  await expect.poll(() => [stateOf(one.pid()), stateOf(child)]).toEqual(['T', 'T'])
})

test('an error of the handler leaves the process alive', async () => {
  const one = await functionWith(
    handling("if (calls === 1) throw new TypeError('broken'); return calls"),
  )
  expect(await one.call('{}')).toEqual({
    error: '{"errorType":"TypeError","errorMessage":"broken"}',
  })
  expect(await one.call('{}')).toEqual({ response: '2' })
})

test('a call that takes too long ends the process, and the next one gets a new one', async () => {
  const one = await functionWith(
    handling('if (event.slow) await new Promise((end) => setTimeout(end, 60_000)); return calls'),
    { timeout: 3 },
  )
  expect(await one.call('{}')).toEqual({ response: '1' })
  expect(await one.call('{"slow":true}')).toEqual({ error: 'Task timed out' })
  expect(await one.call('{}')).toEqual({ response: '1' })
})

test('the deadline of a call is known to the handler', async () => {
  const one = await functionWith(handling('return context.getRemainingTimeInMillis() > 20_000'))
  expect(await one.call('{}')).toEqual({ response: 'true' })
})

test('a process that ends during a call fails it', async () => {
  const one = await functionWith(handling('process.exit(3)'))
  expect(await one.call('{}')).toEqual({ error: 'Runtime exited' })
})

test('a process that cannot start says why', async () => {
  const one = await functionWith("throw new RangeError('no keys')")
  expect(await one.call('{}')).toEqual({
    error: 'Init: {"errorType":"RangeError","errorMessage":"no keys"}',
  })
})

test('an event or a response of more than 6 MB is refused', async () => {
  const one = await functionWith(handling("return 'x'.repeat(event.size)"))
  const size = 6 * 1024 ** 2
  expect(await one.call(JSON.stringify({ size }))).toEqual({ error: 'ResponseSizeTooLarge' })
  expect(await one.call(JSON.stringify('x'.repeat(size)))).toEqual({ error: 'RequestTooLarge' })
  expect(await one.call('{"size":1}')).toEqual({ response: '"x"' })
})
