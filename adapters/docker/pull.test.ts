import { expect, test } from 'vitest'
import { json, type LoopbackAnswer, loopbackEngine } from '../../local/harness/loopback-engine.ts'
import { engineClient } from './client.ts'
import { pullImage } from './pull.ts'

async function clientOf(answer: LoopbackAnswer) {
  const { transport, calls } = await loopbackEngine(answer)
  return { client: engineClient(transport, 'local'), calls }
}

const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\r\n')

test('500: an error in a stream that began with 200', async () => {
  const { client } = await clientOf((_, response) =>
    response.end(
      lines(
        { status: 'Pulling from a/b' },
        { errorDetail: { message: 'manifest unknown' }, error: 'manifest unknown' },
      ),
    ),
  )
  await expect(pullImage(client, 'a/b:1')).rejects.toMatchObject({
    status: 500,
    message: 'Pulling a/b:1 failed: manifest unknown: the registry has no such image or tag',
  })
})

test('500: a stream that breaks off', async () => {
  const { client } = await clientOf((_, response) => {
    response.writeHead(200, { 'Content-Length': 1000 }).write('{"status":"Pulling"}\n')
    return setImmediate(() => response.destroy())
  })
  await expect(pullImage(client, 'a/b:1')).rejects.toMatchObject({
    status: 500,
    message: expect.stringMatching(/^Pulling a\/b:1 on host \w+ was cut off$/),
  })
})

test('404: the Engine knows before it begins that there is no such image', async () => {
  const { client } = await clientOf((_, response) =>
    json(response, 404, { message: 'pull access denied' }),
  )
  await expect(pullImage(client, 'a/b')).rejects.toMatchObject({
    status: 404,
    message: expect.stringMatching(/^Pulling a\/b failed: pull access denied: /),
  })
})

test('one tag is asked for, never all, and the answer is the image', async () => {
  const { client, calls } = await clientOf((call, response) =>
    call.method === 'POST'
      ? response.end(lines({ status: 'Pulling' }, { status: 'Downloaded' }))
      : json(response, 200, { Id: 'sha256:0f', RepoDigests: [] }),
  )
  expect(await pullImage(client, 'a/b', { platform: 'linux/arm64' })).toEqual({ id: 'sha256:0f' })
  expect(calls).toEqual([
    'POST /v1.41/images/create?fromImage=a%2Fb&tag=latest&platform=linux%2Farm64',
    'GET /v1.41/images/a/b/json',
  ])
})

test('the caller stops a pull', async () => {
  const stop = new AbortController()
  const { client } = await clientOf((_, response) => {
    response.write('{"status":"Pulling"}\n')
    return setImmediate(() => stop.abort(new Error('shutting down')))
  })
  const pulling = pullImage(client, 'a/b', { signal: stop.signal })
  await expect(pulling).rejects.toThrow('shutting down')
})
