import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const name = unique('tree')
const directory = join(place.directory, 'stacks', name)
let running: Running
let token: string

const compose = `services:
  web:
    image: busybox:latest
    command: /app/bin/run
    init: true
    stop_grace_period: 1s
    secrets: [key]
    volumes: ["./bin:/app/bin:ro", "./public:/public:ro", "./data:/data"]
secrets: { key: { file: ./web.key } }
`
const files = {
  'bin/run': { content: '#!/bin/sh\nexec sleep 3600\n', mode: '0755' },
  'public/index.html': { content: 'one', mode: '0644' },
  'public/logo.png': { base64: Buffer.from([0, 255, 1]).toString('base64'), mode: '0640' },
  'public/current': { link: 'index.html' },
  'web.key': { content: 'hidden', mode: '0600' },
  'data/seed': { content: 'seed', mode: '0644' },
}

const ask = (method: string, path: string, body?: object) =>
  api(running, method, `/stacks/${name}${path}`, { token, body })

/** Calls the API and returns the answer, which has to be a success. */
async function done(method: string, path: string, body?: object) {
  const { status, json } = await ask(method, path, body)
  expect([status, json?.error ?? null], JSON.stringify(json)).toEqual([200, null])
  return json
}

const at = (path: string) => join(directory, path)
const read = (path: string) => readFileSync(at(path), 'latin1')

/** Returns mode and content of each file in the directory, and the target of each link. */
function onHost(): Record<string, string> {
  const all = readdirSync(directory, { recursive: true }).map(String)
  const found = all.flatMap((path): [string, string][] => {
    const stat = lstatSync(at(path))
    if (stat.isSymbolicLink()) return [[path, `-> ${readlinkSync(at(path))}`]]
    return stat.isFile() ? [[path, `${(stat.mode & 0o7777).toString(8)} ${read(path)}`]] : []
  })
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns when each file was last written, in nanoseconds. */
const times = () =>
  Object.fromEntries(
    Object.keys(onHost()).map((path) => [
      path,
      String(lstatSync(at(path), { bigint: true }).mtimeNs),
    ]),
  )

const expected = {
  'bin/run': '755 #!/bin/sh\nexec sleep 3600\n',
  'compose.yaml': `644 ${compose}`,
  'data/seed': '644 seed',
  'public/current': '-> index.html',
  'public/index.html': '644 one',
  'public/logo.png': '640 \0\u00ff\u0001',
  'web.key': '600 hidden',
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

let first: string

test('a deploy writes the tree with its modes, links and bytes', async () => {
  const body = { name, compose, files }
  const { status, json } = await api(running, 'POST', '/stacks', { token, body })
  expect(status, JSON.stringify(json)).toBe(201)
  const deployed = await done('POST', '/deploy', {})
  first = deployed.id
  expect(deployed.status).toBe('succeeded')
  expect(onHost()).toEqual(expected)
  const inside = (...words: string[]) => docker('exec', `${name}-web-1`, ...words)
  expect(inside('cat', '/public/current', '/run/secrets/key')).toBe('onehidden')
  expect((await done('GET', '')).drift).toEqual([])
})

test('a deploy of one changed file writes this file alone', async () => {
  const before = times()
  await done('PUT', '', { files: { 'public/index.html': { content: 'two' } } })
  await done('POST', '/deploy', {})
  const { 'public/index.html': written, ...others } = times()
  const { 'public/index.html': previous, ...rest } = before
  expect(others).toEqual(rest)
  expect(written).not.toBe(previous)
  expect(read('public/index.html')).toBe('two')
})

test('an edit on the host is shown, imported and rolled back; a seeded file is no edit', async () => {
  writeFileSync(at('public/index.html'), 'edited')
  writeFileSync(at('data/seed'), 'of the application')
  writeFileSync(at('data/own'), 'of the application')
  expect((await done('GET', '')).drift).toEqual([{ path: 'public/index.html', change: 'modified' }])
  const refused = await ask('POST', '/deploy', {})
  expect([refused.status, refused.json.error]).toEqual([
    ...[409, expect.stringContaining('public/index.html (modified)')],
  ])
  await done('POST', '/deploy', { on_drift: 'import' })
  expect((await done('GET', '/file?path=public/index.html')).content).toBe('edited')
  expect((await done('GET', '')).drift).toEqual([])

  await done('POST', '/rollback', { deployment_id: first })
  const seeds = { 'data/seed': '644 of the application', 'data/own': '644 of the application' }
  expect(onHost()).toEqual({ ...expected, ...seeds })
  await done('PUT', '', { files: { 'data/seed': null } })
  await done('POST', '/deploy', {})
  expect(read('data/seed')).toBe('of the application')
})

test('a file never replaces a directory of the host, nor the reverse', async () => {
  mkdirSync(at('certs'))
  writeFileSync(at('certs/own'), 'precious')
  writeFileSync(at('hooks'), 'precious')
  for (const [path, own] of [
    ['certs', 'certs/own'],
    ['hooks/run', 'hooks'],
  ] as const) {
    await done('PUT', '', { files: { [path]: { content: 'x' } } })
    const { json } = await ask('POST', '/deploy', { on_drift: 'overwrite' })
    expect(json).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(path.slice(0, 5)),
    })
    expect(read(own)).toBe('precious')
    await done('PUT', '', { files: { [path]: null } })
  }
  rmSync(at('certs'), { recursive: true })
  rmSync(at('hooks'))
  await done('POST', '/deploy', { on_drift: 'overwrite' })
})

test('a backup and a restore bring back the tree and its directory', async () => {
  chmodSync(at('data/own'), 0o604)
  await done('PUT', '', { files: { 'data/seed': { content: 'seed', mode: '0644' } } })
  await done('POST', '/deploy', {})
  const before = onHost()
  const listed = (await done('GET', '/files')) as object[]
  const job = {
    name: 'tree',
    target: { kind: 'local', path: 'nas' },
    sources: [{ kind: 'stack', name }],
  }
  const made = await api(running, 'POST', '/backup-jobs', { token, body: job })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const begun = await api(running, 'POST', `/backup-jobs/${made.json.id}/run`, { token })
  expect(await untilRunEnded(running, token, begun.json.id)).toMatchObject({ status: 'succeeded' })

  expect((await ask('DELETE', '?volumes=true')).status).toBe(204)
  rmSync(directory, { recursive: true, force: true })
  const path = `/backup-runs/${begun.json.id}/restore`
  const restoring = await api(running, 'POST', path, { token, body: {} })
  expect(restoring.status, JSON.stringify(restoring.json)).toBe(202)
  const ended = await untilRunEnded(running, token, restoring.json.id)
  expect(ended).toMatchObject({ status: 'succeeded', error: null })
  expect(onHost()).toEqual(before)
  expect(await done('GET', '/files')).toEqual(listed)
  expect((await done('GET', '')).drift).toEqual([])
  expect(statSync(at('bin')).isDirectory()).toBe(true)
  expect(docker('exec', `${name}-web-1`, 'cat', '/run/secrets/key')).toBe('hidden')
})

const file = { content: 'x' }
test.each<[string, number, Record<string, object>, string]>([
  ['a line break', 400, { 'a\nb': file }, '"a\\nb"'],
  ['steps upwards', 400, { '../x': file }, '../x'],
  ['steps upwards midway', 400, { 'a/../../x': file }, 'a/../../x'],
  ['an absolute path', 400, { '/etc/cron.d/x': file }, '/etc/cron.d/x'],
  ['a long name', 400, { [`n${'x'.repeat(255)}`]: file }, 'nxxx'],
  ['a long path', 400, { [`n/${'x/'.repeat(600)}x`]: file }, 'n/x/x'],
  ['a backslash', 400, { 'a\\b': file }, 'a\\\\b'],
  ['a file below a link', 422, { l: { link: 'public' }, 'l/x': file }, 'l/x'],
  ['a file below a file', 422, { 'web.key/x': file }, 'web.key/x'],
  ['a link to a link', 400, { l: { link: 'm' }, m: { link: 'public' } }, 'l: '],
  ['links in a circle', 400, { l: { link: 'm' }, m: { link: 'l' } }, 'l: '],
  ['a link to itself', 400, { l: { link: 'l' } }, 'l: '],
  ['a link that leaves', 400, { 'd/l': { link: '../../other' } }, 'd/l: '],
  ['an absolute link', 400, { l: { link: '/etc/shadow' } }, 'l: '],
  ['two names that differ in case', 422, { Site: file, site: file }, 'Site'],
  ['another spelling of compose.yaml', 400, { 'COMPOSE.yaml': file }, 'COMPOSE.yaml'],
])('refuses a tree with %s and names the path', async (_what, status, hostile, said) => {
  const before = await done('GET', '/files')
  const refused = await ask('PUT', '', { files: hostile })
  expect([refused.status, refused.json.error]).toEqual([status, expect.stringContaining(said)])
  expect(await done('GET', '/files')).toEqual(before)
  expect(existsSync(join(directory, '..', 'x'))).toBe(false)
})

test('removes the directory of a deleted stack, unless it has other files', async () => {
  for (const [kind, left] of [
    ['plain', undefined],
    ['own', ['note']],
  ] as const) {
    const stack = `${name}-${kind}`
    const home = join(place.directory, 'stacks', stack)
    const send = async (method: string, path: string, body?: object) =>
      (await api(running, method, `/stacks${path}`, { token, body })).status
    const conf = { 'conf/d/site': { content: 'site', mode: '0644' } }
    const web = 'services: {web: {image: busybox:latest, command: sleep 60, stop_grace_period: 0s}}'
    expect(await send('POST', '', { name: stack, compose: web, files: conf })).toBe(201)
    expect(await send('POST', `/${stack}/deploy`, {})).toBe(200)
    expect(readdirSync(join(home, 'conf', 'd'))).toEqual(['site'])
    if (left) writeFileSync(join(home, 'note'), 'mine')
    expect(await send('DELETE', `/${stack}`)).toBe(204)
    expect(existsSync(home) ? readdirSync(home) : undefined).toEqual(left)
  }
})
