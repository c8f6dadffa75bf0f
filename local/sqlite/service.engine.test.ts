import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../harness/docker.ts'
import type { Json } from '../harness/json.ts'
import { present } from '../harness/present.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, logIn, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { backUpSystem } from '../harness/system-backup.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace({ SERVICE_STORE: 'sqlite', SERVICE_DYNAMODB_ENDPOINT: '' })
const data = present(place.env.SERVICE_DATA_DIR)
const name = unique('sqlite')
let running: Running
let token: string

const get = async (path: string) => (await api(running, 'GET', path, { token })).json

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

async function stop() {
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
}

async function startAgain(env: Record<string, string> = {}) {
  running = await startIn({ ...place, env: { ...place.env, ...env } })
  token = await logIn(place, running)
}

function program(file: string, words: string[], env: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`../../dist/${file}.js`, import.meta.url))
  return spawnSync(process.execPath, [path, ...words], {
    env: { ...process.env, ...place.env, ...env },
    encoding: 'utf8',
  })
}

test('deploys a stack without Java, and finds it after a kill', async () => {
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 600}}\n'
  const made = await api(running, 'POST', '/stacks', { token, body: { name, compose } })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const { json: deployed } = await api(running, 'POST', `/stacks/${name}/deploy`, {
    token,
    body: {},
  })
  expect(deployed).toMatchObject({ status: 'succeeded' })
  expect(docker('ps', '--filter', `name=${name}`, '--format', '{{.Names}}')).toContain(name)
  expect(statSync(join(data, 'sqlite', 'store.db')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(data, 'dynamodb'))).toBe(false)
  running.child.kill('SIGKILL')
  await running.ended
  await startAgain()
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
})

test('a check of the data directory compares it with the store', async () => {
  await stop()
  expect(program('service', ['--check'])).toMatchObject({ status: 0, stdout: 'ok\n' })
  await startAgain()
})

test('an API process and a sidecar share the file', async () => {
  await stop()
  const sidecar = await startIn({ ...place, env: { ...place.env, SERVICE_ROLE: 'sidecar' } })
  await startAgain({ SERVICE_ROLE: 'api' })
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
  sidecar.child.kill('SIGTERM')
  expect(await sidecar.ended).toBe(0)
})

test('a backup made while the service writes is restored into a new file', async () => {
  const over = new AbortController()
  const names: string[] = []
  const writing = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const username = `user${number}`
      const body = { username, password: 'correct horse battery', role: 'viewer' }
      const { status } = await api(running, 'POST', '/users', { token, body })
      if (status === 201) names.push(username)
    }
  })()
  await expect.poll(() => names.length).toBeGreaterThan(0)
  const before = [...names]
  const backup = await backUpSystem(place)
  over.abort()
  await writing
  expect(names.length).toBeGreaterThan(before.length)
  const restored = join(place.directory, 'restored')
  const words = ['--from', backup.directory, '--identity', backup.identity, '--data', restored]
  const done = program('restore', words)
  expect(done, done.stderr).toMatchObject({ status: 0 })
  const inUse = [...words.slice(0, -1), data, '--force']
  expect(program('restore', inUse)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('in use by a service that is running'),
  })
  await stop()
  await startAgain({ SERVICE_DATA_DIR: restored })
  const users: string[] = (await get('/users')).map(({ username }: Json) => username)
  expect(users).toEqual(expect.arrayContaining(before))
  expect(await get('/audit/verify')).toMatchObject({ ok: true })
  await stop()
  await startAgain()
})

test('moves to DynamoDB and back with all records', async () => {
  await stop()
  const dynamo = {
    SERVICE_STORE: 'dynamodb',
    SERVICE_DYNAMODB_ENDPOINT: present(process.env.SERVICE_DYNAMODB_ENDPOINT),
  }
  mkdirSync(join(place.directory, 'moves'))
  const [first, second] = ['one', 'two'].map((at) => join(place.directory, 'moves', at))
  const done = (result: ReturnType<typeof program>) =>
    expect(result, result.stderr).toMatchObject({ status: 0 })
  done(program('store', ['export', present(first)]))
  done(program('store', ['import', present(first)], dynamo))
  const again = program('store', ['import', present(first)], dynamo)
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') })
  await startAgain(dynamo)
  expect(await get(`/stacks/${name}`)).toMatchObject({ name, status: 'running' })
  expect(await get('/audit/verify')).toMatchObject({ ok: true })
  await stop()
  done(program('store', ['export', present(second)], dynamo))
  const elsewhere = { SERVICE_DATA_DIR: join(place.directory, 'elsewhere') }
  done(program('store', ['import', present(second)], elsewhere))
  expect(existsSync(join(elsewhere.SERVICE_DATA_DIR, 'sqlite', 'store.db'))).toBe(true)
})
