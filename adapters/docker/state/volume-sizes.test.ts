import { expect, onTestFinished, test, vi } from 'vitest'
import {
  json,
  type LoopbackAnswer,
  loopbackEngine,
} from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { engineClient } from '../transport/client.ts'
import { volumeSizeReader } from './volume-sizes.ts'

const names = ['films', 'nfs', 'share']
const volumes = names.map((Name) => ({ Name, Driver: 'local', Mountpoint: `/v/${Name}` }))
const usage = {
  Volumes: [
    { Name: 'films', UsageData: { Size: 2048, RefCount: 1 } },
    { Name: 'nfs', UsageData: { Size: -1, RefCount: -1 } },
    { Name: 'gone', UsageData: { Size: 1, RefCount: 0 } },
  ],
}
const sizes = [
  { name: 'films', bytes: 2048 },
  { name: 'nfs', bytes: null },
  { name: 'share', bytes: null },
]

async function engineOf(measure: LoopbackAnswer, ApiVersion = '1.41') {
  const answer: LoopbackAnswer = (call, response, request) => {
    if (call.path === '/volumes') return json(response, 200, { Volumes: volumes })
    return call.path === '/system/df' ? measure(call, response, request) : undefined
  }
  const { transport, calls } = await loopbackEngine(answer, { ApiVersion })
  const engine = dockerEngine({ transport, host: 'nas', stacksDirectory: '/opt/stacks' })
  onTestFinished(() => engine.close())
  return { engine, transport, calls, measured: () => calls.filter((one) => one.includes('/df')) }
}

test.each([
  ['1.41', 'GET /v1.41/system/df'],
  ['1.42', 'GET /v1.42/system/df?type=volume'],
])('with API %s asks once for calls at the same time: %s', async (version, asked) => {
  const { engine, measured } = await engineOf((_, reply) => json(reply, 200, usage), version)
  const [one, other] = await Promise.all([engine.volumeSizes(), engine.volumeSizes()])
  expect(one).toEqual(sizes)
  expect(other).toBe(one)
  expect(measured()).toEqual([asked])
})

test('keeps a result for a minute after it was read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { engine, measured } = await engineOf((_, response) => {
    vi.advanceTimersByTime(50_000)
    return json(response, 200, usage)
  })
  const one = await engine.volumeSizes()
  vi.advanceTimersByTime(59_999)
  expect(await engine.volumeSizes()).toBe(one)
  expect(measured()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(await engine.volumeSizes()).toEqual(sizes)
  expect(measured()).toHaveLength(2)
})

test.each([{}, { Volumes: null }])('no size is known from %j', async (value) => {
  const { engine } = await engineOf((_, response) => json(response, 200, value))
  expect(await engine.volumeSizes()).toEqual(names.map((name) => ({ name, bytes: null })))
})

test('waits while the Engine measures for another program', async () => {
  let refusals = 2
  const message = 'a disk usage operation is already running'
  const { engine, measured } = await engineOf((_, response) => {
    refusals -= 1
    return refusals < 0 ? json(response, 200, usage) : json(response, 500, { message })
  })
  expect(await engine.volumeSizes()).toEqual(sizes)
  expect(measured()).toHaveLength(3)
})

test('500: not within the deadline; measures again after a minute', async () => {
  let isSilent = true
  const { engine, transport, measured } = await engineOf((_, response) =>
    isSilent ? true : json(response, 200, usage),
  )
  const client = engineClient(transport, 'nas')
  onTestFinished(() => client.close())
  await client.apiVersion()
  const read = volumeSizeReader(client, engine, 200)
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const message = /^The Docker Engine of host nas did not respond within .* s \(GET \/system\/df\)$/
  await expect(read()).rejects.toMatchObject({
    status: 500,
    reason: 'engine-busy',
    message: expect.stringMatching(message),
  })
  isSilent = false
  await expect(read()).rejects.toMatchObject({ reason: 'engine-busy' })
  expect(measured()).toHaveLength(1)
  vi.advanceTimersByTime(60_000)
  expect(await read()).toEqual(sizes)
})

test('500: an Engine that refuses is asked again at once', async () => {
  let isBroken = true
  const { engine, measured } = await engineOf((_, response) =>
    isBroken ? json(response, 500, { message: 'no disk' }) : json(response, 200, usage),
  )
  await expect(engine.volumeSizes()).rejects.toMatchObject({ status: 500 })
  isBroken = false
  expect(await engine.volumeSizes()).toEqual(sizes)
  expect(measured()).toHaveLength(2)
})

test('500: a size that is no number', async () => {
  const value = { Volumes: [{ Name: 'films', UsageData: { Size: '2 GB' } }] }
  const { engine } = await engineOf((_, response) => json(response, 200, value))
  await expect(engine.volumeSizes()).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('not from a Docker Engine'),
  })
})
