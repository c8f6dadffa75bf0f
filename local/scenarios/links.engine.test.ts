import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const stacks = join(place.directory, 'stacks')
const name = unique('links')
const away = `${name}away`
let running: Running
let admin: string
let operator: string

const compose = (...volumes: string[]) => `services:
  app:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    volumes: ${JSON.stringify(volumes)}
`
const exec = (script: string) => docker('exec', `${name}-app-1`, 'sh', '-c', script)
const asOperator = (method: string, path: string, body?: object) =>
  api(running, method, path, { token: operator, body })
const save = (text: string) => asOperator('PUT', `/stacks/${name}`, { compose: text })
const deploy = (stack = name) => asOperator('POST', `/stacks/${stack}/deploy`, {})

beforeAll(async () => {
  running = await startIn(place)
  admin = await setUpAdmin(place, running)
  const password = 'correct horse battery'
  await api(running, 'POST', '/users', {
    token: admin,
    body: { username: 'olga', password, role: 'operator' },
  })
  const signedIn = await api(running, 'POST', '/auth/login', {
    body: { username: 'olga', password },
  })
  operator = signedIn.json.access_token
  await asOperator('POST', '/stacks', { name, compose: compose('./data:/data') })
})

afterAll(async () => {
  for (const one of [name, away]) {
    await api(running, 'DELETE', `/stacks/${one}?volumes=true`, { token: admin })
  }
  await place.remove()
})

test('403: rejects a mount through a link made by a container, or below a path it can write', async () => {
  expect((await deploy()).json).toMatchObject({ status: 'succeeded' })
  exec('ln -s /etc /data/l')
  const { status, json } = await save(compose('./data:/data', './data/l:/host'))
  expect([status, json.error]).toEqual([
    403,
    expect.stringContaining('services.app.volumes[1]: ./data/l is inside ./data, where the mount'),
  ])
  const later = await save(compose('./data/l:/host:ro'))
  expect([later.status, later.json.error]).toEqual([
    403,
    expect.stringContaining('a mount of an earlier deployment'),
  ])
})

test('409: detects a link in the stack’s directory on the host before mounting anything', async () => {
  symlinkSync('/etc', join(stacks, name, 'l'))
  expect((await save(compose('./data:/data', './l:/host'))).status).toBe(200)
  const { status, json } = await deploy()
  expect([status, json.error]).toEqual([
    409,
    expect.stringContaining(`services.app.volumes[1]: ./l in ${stacks}/${name} is a link to /etc`),
  ])
  expect(() => exec('ls /host')).toThrow()
  rmSync(join(stacks, name, 'l'))
  mkdirSync(join(stacks, name, 'l'))
  expect((await deploy()).json).toMatchObject({ status: 'succeeded' })
  expect(exec('ls -A /host')).toBe('')
})

test('409: does not write or delete another stack’s files through a linked directory', async () => {
  writeFileSync(join(stacks, name, '.env'), 'PASSWORD=mine')
  const before = readdirSync(join(stacks, name)).sort()
  const text = readFileSync(join(stacks, name, 'compose.yaml'), 'utf8')
  symlinkSync(join(stacks, name), join(stacks, away))
  const body = { name: away, compose: compose('./data:/data'), env: 'PASSWORD=theirs' }
  const refused = await asOperator('POST', '/stacks', body)
  const isLink = expect.stringContaining(`${away} in ${stacks}`)
  expect([refused.status, refused.json.error]).toEqual([409, isLink])
  expect((await api(running, 'POST', '/stacks', { token: admin, body })).status).toBe(201)
  const { status, json } = await deploy(away)
  expect([status, json.error]).toEqual([409, isLink])
  expect((await api(running, 'DELETE', `/stacks/${away}`, { token: admin })).status).toBeLessThan(
    300,
  )
  expect(readdirSync(join(stacks, name)).sort()).toEqual(before)
  expect(readFileSync(join(stacks, name, 'compose.yaml'), 'utf8')).toBe(text)
  expect(readFileSync(join(stacks, name, '.env'), 'utf8')).toBe('PASSWORD=mine')
})

test('422: rejects a build with the name of the helper image', async () => {
  const { status, json } = await save(
    'services: {app: {image: "container-stacks/files:1", build: {dockerfile_inline: FROM busybox}}}',
  )
  expect([status, json.error]).toEqual([
    422,
    expect.stringContaining('reserved for the helper image'),
  ])
})

test('a removed stack leaves no files, and helpers are removed with the service', async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token: admin })
  expect(existsSync(join(stacks, name, 'compose.yaml'))).toBe(false)
})
