import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'

const place = newPlace()
const parent = join(place.directory, 'dockge')
const [blog, shop, wiki, stopped] = ['blog', 'shop', 'wiki', 'stopped'].map((word) =>
  unique(`dockge-${word}`),
) as [string, string, string, string]
const running = [blog, shop, wiki]
let service: Running
let token: string

const sleeper = (more = '') => `services:
  one:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
${more}`

/** The layout of Dockge: a folder for each stack, and variables that all share. */
const files: Record<string, string> = {
  'global.env': 'ZONE=Europe/Berlin\nUNUSED=1\n',
  [`${blog}/compose.yaml`]: sleeper('    environment: {TZ: "${ZONE}"}\n'),
  [`${shop}/docker-compose.yml`]: sleeper(
    '    environment: {TZ: "${ZONE}", MODE: "${SHOP_MODE}"}\n    volumes: ["./data:/data"]\n',
  ),
  [`${shop}/.env`]: 'SHOP_MODE=shop\n',
  [`${shop}/data/counter`]: '1\n',
  [`${wiki}/compose.yaml`]: sleeper(),
  [`${wiki}/compose.override.yaml`]: 'services: {one: {environment: {MODE: override}}}\n',
  [`${stopped}/compose.yaml`]: sleeper(),
}

/** Runs `docker compose` as Dockge does: in the folder, with both files of variables. */
function compose(name: string, ...words: string[]) {
  const cwd = join(parent, name)
  const own = readdirSync(cwd).includes('.env') ? ['--env-file', './.env'] : []
  const all = ['--env-file', '../global.env', ...own, ...words]
  return execFileSync(present(findCompose()), all, { cwd, encoding: 'utf8', stdio: 'pipe' })
}

/** Returns name → ID and start time of every container of these projects. */
function containers(names: readonly string[]): Record<string, string> {
  const ids = names.flatMap((name) =>
    docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
      .split('\n')
      .filter(Boolean),
  )
  const form = '{{.Name}} {{.Id}} {{.State.StartedAt}}'
  const lines = docker('inspect', '--format', form, ...ids).split('\n')
  return Object.fromEntries(lines.sort().map((line) => line.split(/ (.*)/s).slice(0, 2)))
}

/** Returns path → content and modification time of every file of the directory. */
const onDisk = () =>
  Object.fromEntries(
    readdirSync(parent, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`]),
  )

const importing = (...words: string[]) => cli(place, ['import', 'dockge', parent, ...words])
const deploy = (name: string, body = {}) =>
  api(service, 'POST', `/stacks/${name}/deploy`, { token, body })

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(parent, path, '..'), { recursive: true })
    writeFileSync(join(parent, path), text)
  }
  for (const name of [...running, stopped]) compose(name, 'up', '-d')
  compose(stopped, 'stop', '-t', '1')
  service = await startIn(place)
  token = await setUpAdmin(place, service)
  await cli(place, ['login', service.url, '--user', 'admin'], { input: place.password })
})

afterAll(async () => {
  for (const name of [...running, stopped]) compose(name, 'down', '-v', '-t', '1')
  await place.remove()
})

test('a dry run names each stack and creates none', async () => {
  const { code, stdout } = await importing('--dry-run')
  expect(code).toBe(0)
  for (const name of running)
    expect(stdout).toMatch(new RegExp(`^${name} +local +would be adopted`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${stopped} +local +would be created`, 'm'))
  const { json } = await api(service, 'GET', '/stacks', { token })
  expect(json.map(({ name }: { name: string }) => name)).not.toEqual(expect.arrayContaining([blog]))
})

test('an import restarts no container and writes no file', async () => {
  const before = [containers([...running, stopped]), onDisk()]
  const { code, stdout } = await importing('--yes')
  expect(code).toBe(0)
  for (const name of running) expect(stdout).toMatch(new RegExp(`^${name} +local +adopted`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${stopped} +local +created`, 'm'))
  expect([containers([...running, stopped]), onDisk()]).toEqual(before)
  for (const name of running) {
    const { json } = await api(service, 'GET', `/stacks/${name}`, { token })
    expect(json).toMatchObject({ directory: join(parent, name), status: 'running' })
  }
})

test('a second import does nothing', async () => {
  const before = containers([...running, stopped])
  const { code, stdout } = await importing('--yes')
  expect(code).toBe(0)
  for (const name of [...running, stopped])
    expect(stdout).toMatch(new RegExp(`^${name} +local +left out: it is a stack already`, 'm'))
  expect(containers([...running, stopped])).toEqual(before)
})

test('a deploy of the imported stacks recreates no container', async () => {
  const before = containers(running)
  for (const name of [blog, wiki]) {
    expect((await deploy(name)).json, name).toMatchObject({ status: 'succeeded' })
  }
  expect((await deploy(shop)).status).toBe(409)
  expect((await deploy(shop, { on_drift: 'overwrite' })).json.status).toBe('succeeded')
  expect(containers(running)).toEqual(before)
  expect(readFileSync(join(parent, shop, 'data/counter'), 'utf8')).toBe('1\n')
})

test('a forgotten stack is Dockge’s again, as it was', async () => {
  const before = containers([blog])
  expect((await cli(place, ['stacks', 'forget', blog, '--yes'])).code).toBe(0)
  compose(blog, 'up', '-d')
  expect(containers([blog])).toEqual(before)
})
