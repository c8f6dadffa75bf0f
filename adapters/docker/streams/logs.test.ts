import { expect, onTestFinished, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { engineClient } from '../transport/client.ts'
import { readLogs } from './logs.ts'

/** Returns an Engine whose containers have a log driver, and which refuses to read their logs. */
async function refusing(driver: unknown, status: number, message: string) {
  const { transport } = await loopbackEngine(({ path }, response) =>
    path.endsWith('/json')
      ? json(response, 200, {
          ...inspectedContainer('a'),
          HostConfig: { LogConfig: { Type: driver } },
        })
      : json(response, status, { message }),
  )
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/opt/stacks' })
  onTestFinished(() => engine.close())
  const follow = async () => {
    const { signal } = new AbortController()
    for await (const _ of engine.followLogs('a', { tail: 'all', follow: true }, signal));
  }
  return [() => engine.logs('a', { tail: 1 }), follow]
}

const unsupported = 'configured logging driver does not support reading'
const cannot = (driver: string) =>
  `the log of the container cannot be read: its log driver${driver} does not support it`

test.each([
  ['none', ' (none)'],
  ['example.com/logs:latest', ' (example.com/logs:latest)'],
  ['\u001b[2J', ''],
  [undefined, ''],
])('409: the log driver %j does not support reading', async (driver, named) => {
  for (const read of await refusing(driver, 501, unsupported)) {
    const failure = { status: 409, reason: 'conflict', message: cannot(named), detail: unsupported }
    await expect(read()).rejects.toMatchObject(failure)
  }
})

test('404: the container is being removed', async () => {
  const message = 'can not get logs from container which is dead or marked for removal'
  for (const read of await refusing('json-file', 409, message)) {
    await expect(read()).rejects.toMatchObject({
      status: 404,
      message: 'the container is being removed',
    })
  }
})

test('500: the Engine fails to read a log', async () => {
  for (const read of await refusing('json-file', 500, 'open /var/lib/x: permission denied')) {
    await expect(read()).rejects.toMatchObject({ status: 500, reason: 'engine-failed' })
  }
})

/** A log of ten lines, of which the Engine finds the end, sends all, or neither. */
async function slowLog(ApiVersion: string, finds: 'end' | 'all' | 'nothing') {
  const lines = Array.from({ length: 10 }, (_, at) => `2026-01-01T00:00:0${at}Z line ${at}\n`)
  const { transport, calls } = await loopbackEngine(
    ({ path, url }, response) => {
      if (path.endsWith('/json')) {
        return json(response, 200, { ...inspectedContainer('a'), Config: { Tty: true } })
      }
      const isAll = url.searchParams.get('tail') === 'all'
      if (isAll ? finds === 'all' : finds === 'end') return response.end(lines.join(''))
      return true
    },
    { ApiVersion },
  )
  const client = engineClient(transport, 'nas', undefined, 500)
  onTestFinished(() => client.close())
  const times = {
    search: finds === 'end' ? 5000 : 300,
    whole: finds === 'all' ? 5000 : 300,
  }
  return {
    read: () => readLogs(client, 'a', { tail: 2 }, times),
    tails: () => calls.flatMap((one) => /[?&]tail=(\w+)/.exec(one)?.[1] ?? []),
  }
}

const late = { status: 500, reason: 'engine-busy' }

test.each(['1.41', '1.42'])('API %s: an end that is found is not looked for again', async (api) => {
  const { read, tails } = await slowLog(api, 'end')
  expect((await read()).map(({ line }) => line)).toEqual(['line 8', 'line 9'])
  expect(tails()).toEqual(['2'])
})

test('API 1.42: without an end, looks through the whole log', async () => {
  const { read, tails } = await slowLog('1.42', 'all')
  expect((await read()).map(({ line }) => line)).toEqual(['line 8', 'line 9'])
  expect(tails()).toEqual(['2', 'all'])
})

test('500: API 1.42: the whole log takes too long too', async () => {
  const { read, tails } = await slowLog('1.42', 'nothing')
  const message = 'The Docker Engine of host nas did not find the end of the log in time'
  await expect(read()).rejects.toMatchObject({ ...late, message })
  expect(tails()).toEqual(['2', 'all'])
})

test('500: API 1.41: a slow Engine is not made to send the whole log', async () => {
  const { read, tails } = await slowLog('1.41', 'all')
  await expect(read()).rejects.toMatchObject(late)
  expect(new Set(tails())).toEqual(new Set(['2']))
})
