import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolInProcess, startAgent } from '../harness/agent.ts'
import { freePort } from '../harness/free-port.ts'
import { type Cloud, startCloud } from '../harness/lambda/cloud.ts'
import { askCloud, type Sent, setUpCloud } from '../harness/lambda/cloud-client.ts'
import { paced } from '../harness/pace.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, type Place, type Running, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('beside')
const compose =
  'services: {a: {image: "busybox:latest", command: sleep 3600, init: true, network_mode: none}}'

let cloud: Cloud
/** The service that the agent connects to. Functions pass requests on to the other one. */
let second: Place
let holder: Running
let token: string
let far: string

const ask = (path: string, sent?: Sent) => askCloud(cloud, path, { ...sent, as: token })
const post = (path: string, body: unknown) => ask(path, { method: 'POST', body })

beforeAll(async () => {
  const agentPort = String(await freePort())
  const SERVICE_AGENT_ENDPOINT = `127.0.0.1:${agentPort}`
  cloud = await startCloud({ SERVICE_AGENT_ENDPOINT })
  second = await placeBeside(cloud.servicePlace, agentPort)
  holder = await startIn(second)
  token = await setUpCloud(cloud)
  const door = { url: new URL(cloud.url).origin }
  const { id, directory } = await enrolInProcess(second, door, token, 'far')
  far = id
  startAgent(second, directory)
  await until(statusOfFar, (status) => status === 'online')
})

afterAll(async () => {
  try {
    await second?.remove()
    await removeFromEngine(name)
  } finally {
    await cloud?.[Symbol.asyncDispose]()
  }
})

/** Returns a place on the same store, with the same keys and authority, and nothing else. */
async function placeBeside(first: Place, agentPort: string): Promise<Place> {
  const internalPort = String(await freePort())
  const place = newPlace({
    ...first.env,
    SERVICE_AGENT_PORT: agentPort,
    SERVICE_INTERNAL_PORT: internalPort,
    SERVICE_INTERNAL_ADDRESS: `127.0.0.1:${internalPort}`,
  })
  const data = join(place.directory, 'data')
  place.env.SERVICE_DATA_DIR = data
  place.env.SERVICE_STACKS_DIR = join(place.directory, 'stacks')
  mkdirSync(data, { mode: 0o700 })
  const authority = 'agent-authority.pem'
  cpSync(join(present(first.env.SERVICE_DATA_DIR), authority), join(data, authority))
  return place
}

const statusOfFar = async () => (await ask(`/hosts/${far}`)).json.status
const containers = () => ask(`/containers?host=${far}`)
const namesOf = (rows: Json[]) => rows.map((row) => row.name)
const deployed = `${name}-a-1`

test('a stack is deployed to a host whose agent is connected to the other service', async () => {
  const made = await post('/stacks', { name, host: far, compose })
  expect([made.status, made.json.error]).toEqual([201, undefined])
  const started = await post(`/stacks/${name}/deploy`, {})
  expect([started.status, started.json.error ?? null]).toEqual([202, null])
  const deployment = async () =>
    (await ask(`/stacks/${name}/deployments/${started.json.id}`)).json.status
  await expect.poll(deployment, { timeout: paced(60_000) }).not.toBe('running')
  expect(await deployment()).toBe('succeeded')
  const listed = await containers()
  expect(listed.status).toBe(200)
  expect(namesOf(listed.json)).toContain(deployed)
})

test('500 host-offline: the service that functions pass requests on to is away', async () => {
  cloud.service.child.kill('SIGKILL')
  await cloud.service.ended
  for (const response of [await containers(), await post(`/stacks/${name}/deploy`, {})]) {
    expect([response.status, response.headers.get('x-error-reason')]).toEqual([500, 'host-offline'])
  }
})

test('200: the same request after that service was started again', async () => {
  await startIn(cloud.servicePlace)
  const listed = await containers()
  expect([listed.status, listed.json.error]).toEqual([200, undefined])
  expect(namesOf(listed.json)).toContain(deployed)
})

test('500 host-offline: the service that the agent is connected to is away, and comes back', async () => {
  holder.child.kill('SIGKILL')
  await holder.ended
  const response = await containers()
  expect([response.status, response.headers.get('x-error-reason')]).toEqual([500, 'host-offline'])
  await startIn(second)
  await expect.poll(async () => (await containers()).status, { timeout: paced(60_000) }).toBe(200)
})

test('204: the stack is deleted there', async () => {
  const removed = await ask(`/stacks/${name}?volumes=true`, { method: 'DELETE' })
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect(namesOf((await containers()).json)).not.toContain(deployed)
})
