import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolHost, startAgent } from '../harness/agent.ts'
import { openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'

const [first, second] = [await freePort(), await freePort()]
const place = newPlace({ SERVICE_AGENT_ENDPOINT: `127.0.0.1:${first},127.0.0.1:${second}` })
const name = `many${randomBytes(4).toString('hex')}`
/** Two processes with agents and two that serve requests. `all` is both. */
let all: Running
let sidecar: Running
let requests: Running
let token: string
let far: string

const start = (role: string, agentPort = 0) => {
  const env = { ...place.env, SERVICE_ROLE: role, SERVICE_AGENT_PORT: String(agentPort) }
  return startIn({ ...place, env })
}
const at = (process: Running, method: string, path: string, body?: unknown) =>
  api(process, method, path, { token, body })
const feedAt = ({ feeds }: Running, path: string) =>
  openFeed(`${feeds}/api/v1/ws${path}`, { token })

beforeAll(async () => {
  all = await start('all', first)
  token = await setUpAdmin(place, all)
  ;[sidecar, requests] = await Promise.all([start('sidecar', second), start('api')])
  const { id, directory } = await enrolHost(place, all, token, { name })
  far = id
  startAgent(place, directory)
  await reachedFrom(all)
})

afterAll(async () => {
  const left = [all, requests].find(({ child }) => child.exitCode === null && !child.killed)
  if (left) await at(left, 'DELETE', `/stacks/${name}?volumes=true`)
  await place.remove()
})

/** Waits until a process that serves requests reaches the host. */
const reachedFrom = (process: Running) =>
  until(
    () => at(process, 'GET', `/containers?host=${far}`),
    ({ status }) => status === 200,
  )

/** Returns the output of a command in the stack's container, requested from this process. */
async function said(process: Running, text: string): Promise<string> {
  const feed = await feedAt(process, `/exec/${name}-a-1?host=${far}&cmd=echo&cmd=${text}`)
  expect((await feed.ended).code).toBe(1000)
  const output = (feed.messages as Buffer[]).filter(([channel]) => channel === 1)
  return Buffer.concat(output.map((one) => one.subarray(1))).toString()
}

test('a request to any process reaches a host whose agent is connected to another', async () => {
  await reachedFrom(requests)
  const listed = await at(requests, 'GET', '/containers?host=all')
  expect(listed.json.unreachable_hosts).toEqual([])
  const command = "sh -c 'echo begun; exec sleep 3600'"
  const compose = `services:\n  a: {image: 'busybox:latest', command: ${command}, init: true, stop_grace_period: 1s, network_mode: none}\n`
  expect((await at(requests, 'POST', '/stacks', { name, host: far, compose })).status).toBe(201)
  const deployed = await at(requests, 'POST', `/stacks/${name}/deploy`, {})
  expect(deployed.json).toMatchObject({ status: 'succeeded', error: null })
  for (const process of [all, sidecar]) {
    const feed = await feedAt(process, `/logs/${name}-a-1?host=${far}`)
    expect(await feed.json()).toMatchObject({ data: 'begun\n' })
    feed.ws.close()
    expect(await said(process, 'here')).toBe('here\n')
  }
})

test('all other processes reach the host after the one with its agent is killed', async () => {
  const lost = await feedAt(sidecar, `/exec/${name}-a-1?host=${far}&cmd=sleep&cmd=1009`)
  all.child.kill('SIGKILL')
  await all.ended
  expect((await lost.ended).code).toBe(1011)
  await reachedFrom(requests)
  expect(await said(sidecar, 'moved')).toBe('moved\n')
  all = await start('all', first)
  await reachedFrom(all)
  const again = await at(all, 'POST', `/stacks/${name}/deploy`, {})
  expect(again.json).toMatchObject({ status: 'succeeded', steps: [] })
})

test('the host returns to the first process when the second is killed too', async () => {
  sidecar.child.kill('SIGKILL')
  await sidecar.ended
  await reachedFrom(requests)
  expect(await said(all, 'back')).toBe('back\n')
})
