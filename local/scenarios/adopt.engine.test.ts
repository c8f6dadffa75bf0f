import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'

const place = newPlace()
const name = unique('adopt')
const second = `${name}b`
const parent = join(place.directory, 'projects')
const directory = join(parent, name)
let running: Running
let token: string

const project: Record<string, string> = {
  'docker-compose.yml': `services:
  db:
    image: busybox:latest
    command: sleep \${SECONDS}
    init: true
    stop_grace_period: 1s
    env_file: db.env
    volumes: ["data:/data"]
  web:
    image: busybox:latest
    command: ["sleep", "3600"]
    init: true
    stop_grace_period: 1s
    volumes: ["./site.conf:/site.conf:ro", "./state:/state"]
volumes:
  data:
`,
  'docker-compose.override.yml': 'services: {web: {environment: {MODE: override}}}\n',
  '.env': 'SECONDS=3601\n',
  'db.env': 'PASSWORD=secret\n',
  'site.conf': 'one\n',
  'state/counter': '1\n',
}

const dockerCompose = (cwd: string, ...args: string[]) =>
  execFileSync(present(findCompose()), args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()

/** Returns name → ID and start time of every container of a project. */
function containers(of = name): Record<string, string> {
  const filter = `label=com.docker.compose.project=${of}`
  const all = docker('ps', '-aq', '--filter', filter).split('\n').filter(Boolean)
  if (all.length === 0) return {}
  const form = '{{.Name}} {{.Id}} {{.State.StartedAt}}'
  const lines = docker('inspect', '--format', form, ...all)
    .split('\n')
    .sort()
  return Object.fromEntries(lines.map((line) => line.split(/ (.*)/s).slice(0, 2)))
}

/** Returns path → content and modification time of every file of the directory. */
const onDisk = () =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`]),
  )

const deploy = (body = {}) => api(running, 'POST', `/stacks/${name}/deploy`, { token, body })
const cliIn = (...args: string[]) => cli(place, args, { directory: parent })

beforeAll(async () => {
  mkdirSync(join(directory, 'state'), { recursive: true })
  for (const [path, text] of Object.entries(project)) writeFileSync(join(directory, path), text)
  mkdirSync(join(parent, second))
  const other = 'services: {one: {image: "busybox:latest", command: sleep 3600, init: true}}\n'
  writeFileSync(join(parent, second, 'compose.yaml'), other)
  for (const one of [name, second]) dockerCompose(join(parent, one), 'up', '-d')
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await cli(place, ['login', running.url, '--user', 'admin'], { input: place.password })
})

afterAll(async () => {
  for (const one of [name, second]) dockerCompose(join(parent, one), 'down', '-v', '-t', '1')
  await place.remove()
})

test('a dry run shows the project and creates no stack', async () => {
  const { code, stdout } = await cliIn('stack', 'adopt', name, '--dry-run', '--with-env')
  expect([code, stdout]).toEqual([0, expect.stringContaining(`lives in  ${directory}`)])
  expect((await api(running, 'GET', `/stacks/${name}`, { token })).status).toBe(404)
})

test('adopts a project of docker compose without touching it', async () => {
  const before = [containers(), onDisk()]
  const { code, stdout, stderr } = await cliIn('stack', 'adopt', name, '--yes', '--with-env')
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('differ')])
  expect(stdout).toBe(
    `${name} is adopted on host local: 2 of 2 services are running, none was restarted\n`,
  )
  expect([containers(), onDisk()]).toEqual(before)
  const { json } = await api(running, 'GET', `/stacks/${name}`, { token })
  expect(json).toMatchObject({ directory, status: 'running', drift: [] })
})

test('a deploy of the adopted stack changes nothing, even while services write data', async () => {
  const before = containers()
  writeFileSync(join(directory, 'state/counter'), '2\n')
  expect((await deploy()).json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(containers()).toEqual(before)
})

test('an edit changes only its service, and docker compose sees it', async () => {
  const before = containers()
  const compose = present(project['docker-compose.yml']).replace('"3600"', '"7200"')
  await api(running, 'PUT', `/stacks/${name}`, { token, body: { compose } })
  expect((await deploy()).json.status).toBe('succeeded')
  const after = containers()
  expect(after[`/${name}-db-1`]).toBe(before[`/${name}-db-1`])
  expect(after[`/${name}-web-1`]).not.toBe(before[`/${name}-web-1`])
  expect(readFileSync(join(directory, 'docker-compose.yml'), 'utf8')).toBe(compose)
  expect(readdirSync(directory)).not.toContain('compose.yaml')
  const id = dockerCompose(directory, 'ps', '-q', '--no-trunc', 'web')
  expect(after[`/${name}-web-1`]).toContain(id)
})

test('detects a file edited on disk and keeps it until a deploy overwrites it', async () => {
  const [file, conf] = ['docker-compose.yml', 'site.conf'].map((path) => join(directory, path))
  const ours = readFileSync(present(file), 'utf8')
  writeFileSync(present(file), ours.replace('"7200"', '"7300"'))
  writeFileSync(present(conf), 'two\n')
  const { json } = await api(running, 'GET', `/stacks/${name}`, { token })
  expect(json.drift.map(({ path }: { path: string }) => path)).toEqual([
    'docker-compose.yml',
    'site.conf',
  ])
  const plan = await api(running, 'POST', `/stacks/${name}/plan`, { token, body: {} })
  expect(plan.json[0]).toMatchObject({ action: 'drift', name: 'docker-compose.yml' })
  const before = containers()
  const refused = await deploy()
  expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining('site.conf')])
  expect([containers(), readFileSync(present(conf), 'utf8')]).toEqual([before, 'two\n'])

  expect((await deploy({ on_drift: 'import' })).json.status).toBe('succeeded')
  const imported = await api(running, 'GET', `/stacks/${name}`, { token })
  expect(imported.json).toMatchObject({ revision: 3, drift: [] })
  expect(imported.json.compose).toContain('"7300"')
  expect(containers()[`/${name}-db-1`]).toBe(before[`/${name}-db-1`])
  expect(containers()[`/${name}-web-1`]).not.toBe(before[`/${name}-web-1`])

  writeFileSync(present(file), ours)
  expect((await deploy()).status).toBe(409)
  expect((await deploy({ on_drift: 'overwrite' })).json.status).toBe('succeeded')
  expect(readFileSync(present(file), 'utf8')).toBe(imported.json.compose)
  expect((await deploy()).json).toMatchObject({ status: 'succeeded', steps: [] })
})

test('adopts all other projects of a directory with one command, even with large files', async () => {
  writeFileSync(join(parent, second, 'model.bin'), randomBytes(9 * 1024 * 1024))
  const before = containers(second)
  const { code, stdout } = await cliIn('stacks', 'adopt', '--all', '.', '--yes')
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${name} +${name} +managed`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${second} +${second} +adopted`, 'm'))
  expect(containers(second)).toEqual(before)
  const { json } = await api(running, 'POST', `/stacks/${second}/deploy`, { token, body: {} })
  expect(json).toMatchObject({ status: 'succeeded', steps: [] })
})

test('a forgotten stack is left to docker compose as it is, and can be adopted again', async () => {
  const before = containers(second)
  const forgotten = await cliIn('stacks', 'forget', second, '--yes')
  expect([forgotten.code, forgotten.stdout]).toEqual([0, `${second} is forgotten\n`])
  expect(containers(second)).toEqual(before)
  dockerCompose(join(parent, second), 'up', '-d')
  expect(containers(second)).toEqual(before)
  const again = await cliIn('stacks', 'adopt', second, '--yes')
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('none was restarted')])
  const { json } = await api(running, 'POST', `/stacks/${second}/deploy`, { token, body: {} })
  expect(json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(containers(second)).toEqual(before)
})

test('a project that is saved instead of adopted is told that its data stays where it is', async () => {
  const third = `${name}c`
  const from = join(parent, third)
  mkdirSync(join(from, 'data'), { recursive: true })
  writeFileSync(join(from, 'data', 'db'), randomBytes(2 * 1024 * 1024))
  const compose =
    'services: {one: {image: "busybox:latest", command: sleep 3600, volumes: ["./data:/data"]}}\n'
  writeFileSync(join(from, 'compose.yaml'), compose)
  const inside = (...args: string[]) => cli(place, args, { directory: from })
  const created = await inside('stacks', 'create')
  const kept = join(place.directory, 'stacks', third)
  expect(created.stderr).toContain(
    `it stays in ${from}, and the stack starts without it in ${kept}`,
  )
  expect((await inside('stacks', 'plan')).stdout).toContain('./data starts empty')
  mkdirSync(join(kept, 'data'), { recursive: true })
  writeFileSync(join(kept, 'data', 'db'), 'x')
  expect((await inside('stacks', 'plan')).stdout).not.toContain('starts empty')
  expect((await inside('stacks', 'delete', third, '--yes')).code).toBe(0)
})
