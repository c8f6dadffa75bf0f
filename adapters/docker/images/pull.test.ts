import { expect, test } from 'vitest'
import type { PulledLayer } from '../../../functions/core/records/host-engine.ts'
import {
  json,
  type LoopbackAnswer,
  loopbackEngine,
} from '../../../local/harness/loopback-engine.ts'
import { engineClient } from '../transport/client.ts'
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

test('500: the registry cannot be reached, and the cause is named but not its address', async () => {
  const said =
    'Get "https://a.example/v2/": dial tcp 93.184.216.34:443: connect: connection refused'
  const { client } = await clientOf((_, response) => response.end(lines({ error: said })))
  await expect(pullImage(client, 'a.example/b:1')).rejects.toMatchObject({
    status: 500,
    reason: 'registry-unreachable',
    detail: said,
    message: 'Pulling a.example/b:1 failed: the registry cannot be reached: connection refused',
  })
})

test('500: the stream breaks off', async () => {
  const { client } = await clientOf((_, response) => {
    response.writeHead(200, { 'Content-Length': 1000 }).write('{"status":"Pulling"}\n')
    return setImmediate(() => response.destroy())
  })
  await expect(pullImage(client, 'a/b:1')).rejects.toMatchObject({
    status: 500,
    message: expect.stringMatching(/^Pulling a\/b:1 on host \w+ was interrupted$/),
  })
})

test('404: the Engine reports a missing image before the pull starts', async () => {
  const { client } = await clientOf((_, response) =>
    json(response, 404, { message: 'pull access denied' }),
  )
  await expect(pullImage(client, 'a/b')).rejects.toMatchObject({
    status: 404,
    message: expect.stringMatching(/^Pulling a\/b failed: pull access denied: /),
  })
})

test('403: a registry that the caller may not use, whoever judged the reference before', async () => {
  const { client, calls } = await clientOf((_, response) => json(response, 200, {}))
  for (const reference of ['127.0.0.1:5999/x', 'LocalHost/x', 'nas:5000/x@sha256:0f']) {
    const registries = ['nas:5001']
    await expect(pullImage(client, reference, { registries })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(`image ${reference}: the registry `),
    })
  }
  expect(calls).toEqual([])
})

test('pulls from a registry that the caller may use', async () => {
  const { client } = await clientOf((call, response) =>
    call.method === 'POST'
      ? response.end(lines({ status: 'Downloaded' }))
      : json(response, 200, { Id: 'sha256:0f', RepoDigests: [] }),
  )
  for (const reference of ['busybox', 'ghcr.io/a/b:1', 'nas:5000/x']) {
    expect(await pullImage(client, reference, { registries: ['nas:5000'] })).toEqual({
      id: 'sha256:0f',
    })
  }
})

test('pulls one tag, never all, and returns the image', async () => {
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

test('stops when the caller aborts', async () => {
  const stop = new AbortController()
  const { client } = await clientOf((_, response) => {
    response.write('{"status":"Pulling"}\n')
    return setImmediate(() => stop.abort(new Error('shutting down')))
  })
  const pulling = pullImage(client, 'a/b', { signal: stop.signal })
  await expect(pulling).rejects.toThrow('shutting down')
})

test('reports the layers, at most 512, and no other text of the Engine', async () => {
  const id = (number: number) => number.toString(16).padStart(12, '0')
  const progressDetail = { current: 5, total: 9 }
  const { client } = await clientOf((call, response) => {
    if (call.method !== 'POST') return json(response, 200, { Id: 'sha256:0f', RepoDigests: [] })
    return response.end(
      lines(
        { status: 'Pulling from a/b', id: 'latest' },
        { status: 'Downloading', id: id(0), progressDetail },
        { status: 'Retrying in 5 seconds', id: id(0) },
        { status: 'Extracting', id: id(0), progressDetail: { current: '<b>', total: -1 } },
        { status: 'constructor', id: id(0) },
        { status: { toString: 1 }, id: id(0) },
        { status: 'Downloading', id: 'no digest' },
        { status: 'Downloading', id: [id(0)] },
        { status: 'Pull complete', id: id(0), progressDetail: {} },
        ...Array.from({ length: 600 }, (_, at) => ({ status: 'Waiting', id: id(at) })),
      ),
    )
  })
  const seen: PulledLayer[] = []
  await pullImage(client, 'a/b', { report: (layer) => seen.push(layer) })
  const unknown = { id: id(0), current: null, total: null }
  expect(seen.slice(0, 5)).toEqual([
    { id: id(0), state: 'downloading', current: 5, total: 9 },
    { ...unknown, state: 'waiting' },
    { ...unknown, state: 'extracting' },
    { ...unknown, state: 'done' },
    { ...unknown, state: 'waiting' },
  ])
  expect(new Set(seen.map((layer) => layer.id)).size).toBe(512)
})
