import { expect, onTestFinished, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'

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
