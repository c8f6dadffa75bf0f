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
const parent = join(place.directory, 'komodo')
const [blog, shop, stopped, onHost] = ['blog', 'shop', 'stopped', 'host'].map((word) =>
  unique(`komodo-${word}`),
) as [string, string, string, string]
const running = [blog, shop]
const all = [...running, stopped, onHost]
let service: Running
let token: string

const sleeper = (more = '') => `services:
  one:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
${more}`

const composeOf: Record<string, string> = {
  [blog]: sleeper(),
  [shop]: sleeper('    environment: {TZ: "[[ZONE]]", MODE: "${MODE}"}\n'),
  [stopped]: sleeper(),
  [onHost]: sleeper(),
}

const stack = (name: string, more = '') => `[[stack]]
name = "${name}"
[stack.config]
server = "local"
file_contents = '''
${composeOf[name]}'''
${more}
`

const resources = `
${stack(blog)}
${stack(shop, 'environment = "MODE = shop"\nauto_update = true')}
${stack(stopped)}
[[stack]]
name = "${onHost}"
[stack.config]
server = "local"
files_on_host = true
run_directory = "${join(parent, onHost)}"

[[variable]]
name = "ZONE"
value = "Europe/Berlin"
`

/** Runs `docker compose` as Komodo does: in the directory of the stack, with its project name. */
function compose(name: string, ...words: string[]) {
  const cwd = join(parent, name)
  const own = ['-p', name, '-f', 'compose.yaml', ...words]
  return execFileSync(present(findCompose()), own, { cwd, encoding: 'utf8', stdio: 'pipe' })
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

const importing = (...words: string[]) =>
  cli(place, ['import', 'komodo', join(place.directory, 'resources.toml'), ...words])

beforeAll(async () => {
  for (const name of all) {
    const text = present(composeOf[name]).replace('[[ZONE]]', 'Europe/Berlin')
    mkdirSync(join(parent, name), { recursive: true })
    writeFileSync(join(parent, name, 'compose.yaml'), text)
  }
  writeFileSync(join(parent, shop, '.env'), 'MODE=shop\n')
  writeFileSync(join(place.directory, 'resources.toml'), resources)
  for (const name of all) compose(name, 'up', '-d')
  compose(stopped, 'stop', '-t', '1')
  service = await startIn(place)
  token = await setUpAdmin(place, service)
  await cli(place, ['login', service.url, '--user', 'admin'], { input: place.password })
})

afterAll(async () => {
  for (const name of all) compose(name, 'down', '-v', '-t', '1')
  await place.remove()
})

test('a dry run names each stack and creates none', async () => {
  const { code, stdout } = await importing('--dry-run')
  expect(code).toBe(1)
  for (const name of running)
    expect(stdout).toMatch(new RegExp(`^${name} +local +would be adopted`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${stopped} +local +would be created`, 'm'))
  const there = join(parent, onHost)
  expect(stdout).toContain(`run cli stacks adopt ${there} --name ${onHost} --with-env`)
  const { json } = await api(service, 'GET', '/stacks', { token })
  expect(json.map(({ name }: { name: string }) => name)).not.toEqual(expect.arrayContaining([blog]))
})

test('an import restarts no container and writes no file', async () => {
  const before = [containers(all), onDisk()]
  const { code, stdout, stderr } = await importing('--yes')
  expect(code).toBe(1)
  for (const name of running) expect(stdout).toMatch(new RegExp(`^${name} +local +adopted`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${stopped} +local +created`, 'm'))
  expect(stderr).toContain(`cli stacks update-policy ${shop} --mode apply`)
  expect([containers(all), onDisk()]).toEqual(before)
  for (const name of running) {
    const { json } = await api(service, 'GET', `/stacks/${name}`, { token })
    expect(json).toMatchObject({ directory: join(parent, name), status: 'running' })
  }
})

test('the command of the report adopts the stack whose files are on the host', async () => {
  const before = containers([onHost])
  const words = ['stacks', 'adopt', join(parent, onHost), '--name', onHost, '--with-env', '--yes']
  expect((await cli(place, words)).code).toBe(0)
  expect(containers([onHost])).toEqual(before)
})

test('a second import does nothing', async () => {
  const before = containers(all)
  const { code, stdout } = await importing('--yes')
  expect(code).toBe(0)
  for (const name of all)
    expect(stdout).toMatch(new RegExp(`^${name} +local +left out: it is a stack already`, 'm'))
  expect(containers(all)).toEqual(before)
})

test('a forgotten stack is Komodo’s again, as it was', async () => {
  const before = containers([blog])
  expect((await cli(place, ['stacks', 'forget', blog, '--yes'])).code).toBe(0)
  compose(blog, 'up', '-d')
  expect(containers([blog])).toEqual(before)
})
