import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { cli, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const name = unique('main')
const folder = join(place.directory, 'project')
let running: Running

const compose = `services:
  init:
    image: busybox:latest
    command: sh -c 'echo "\${GREETING} from init" > /data/greeting'
    volumes: ["data:/data"]
  db:
    image: busybox:latest
    command: sh -c 'echo db up; exec sleep 3600'
    init: true
    stop_grace_period: 1s
    volumes: ["data:/data", "./conf:/conf"]
    healthcheck: { test: ["CMD", "test", "-f", "/data/greeting"], interval: 500ms, retries: 20 }
    depends_on:
      init: { condition: service_completed_successfully }
  api:
    image: \${IMAGE:-busybox:latest}
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    environment: { MODE: "\${MODE}" }
    depends_on:
      db: { condition: service_healthy }
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    depends_on: [api]
  worker:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    depends_on: [db]
volumes:
  data:
`

/** Returns service → ID of its container, directly from the Engine. */
function containers(): Record<string, string> {
  const format = '{{.Label "com.docker.compose.service"}} {{.ID}}'
  const label = `label=com.docker.compose.project=${name}`
  const text = docker('ps', '-a', '--no-trunc', '--filter', label, '--format', format)
  return Object.fromEntries(text.split('\n').map((line) => line.split(' ') as [string, string]))
}

const run = async (...args: string[]) => {
  const answer = await cli(place, args, { directory: folder })
  expect([answer.code, answer.stderr], args.join(' ')).toEqual([0, expect.anything()])
  return answer.stdout
}

beforeAll(async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'compose.yaml'), compose)
  writeFileSync(join(folder, '.env'), 'GREETING=Hello\nMODE=plain\n')
  writeFileSync(
    join(folder, 'compose.loud.yaml'),
    'services: {worker: {environment: {LOUD: "1"}}}\n',
  )
  docker('tag', 'busybox:latest', `${name}:2`)
  running = await startIn(place)
  await setUpAdmin(place, running)
})

afterAll(async () => {
  await cli(place, ['stacks', 'delete', name, '--volumes', '--yes'])
  docker('rmi', `${name}:2`)
  await place.remove()
})

describe('a user runs a stack with nothing but the client', () => {
  let before: Record<string, string>

  test('logs in', async () => {
    const { code } = await cli(place, ['login', running.url, '--user', 'admin'], {
      input: `${place.password}\n`,
    })
    expect(code).toBe(0)
    const file = join(place.directory, '.config/cli/config.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('creates and deploys it: every service runs, in the order of its conditions', async () => {
    await run('stacks', 'create', name)
    await run('stacks', 'deploy', name)
    const status = JSON.parse(await run('stacks', 'status', name, '--output', 'json'))
    expect(
      Object.fromEntries(status.map((one: Json) => [one.service, [one.state, one.exit_code]])),
    ).toEqual({
      init: ['exited', 0],
      db: ['running', null],
      api: ['running', null],
      web: ['running', null],
      worker: ['running', null],
    })
    expect(await run('stacks', 'list')).toMatch(new RegExp(`${name} +local +running`))
    before = containers()
  })

  test('the files are on the host, .env readable for its owner only, and the variables reach the containers', () => {
    const directory = join(place.directory, 'stacks', name)
    expect(readFileSync(join(directory, 'compose.yaml'), 'utf8')).toBe(compose)
    expect(statSync(join(directory, '.env')).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'conf')).isDirectory()).toBe(true)
    expect(docker('exec', present(before.db), 'cat', '/data/greeting')).toBe('Hello from init')
    expect(docker('exec', present(before.api), 'sh', '-c', 'echo $MODE')).toBe('plain')
  })

  test('a second deploy changes nothing', async () => {
    expect(JSON.parse(await run('stacks', 'plan', name, '--output', 'json'))).toEqual([])
    await run('stacks', 'deploy', name)
    expect(containers()).toEqual(before)
  })

  test('changing the image of one service recreates only that service', async () => {
    writeFileSync(join(folder, '.env'), `GREETING=Hello\nMODE=plain\nIMAGE=${name}:2\n`)
    await run('stacks', 'update', name)
    await run('stacks', 'deploy', name)
    const after = containers()
    expect(after.api).not.toBe(before.api)
    expect({ ...after, api: 0 }).toEqual({ ...before, api: 0 })
    expect(docker('inspect', '-f', '{{.Config.Image}}', present(after.api))).toBe(`${name}:2`)
    before = after
  })

  test('an overlay changes only what it names', async () => {
    await run('stacks', 'deploy', name, '--environment', 'loud')
    const after = containers()
    expect(after.worker).not.toBe(before.worker)
    expect({ ...after, worker: 0 }).toEqual({ ...before, worker: 0 })
    expect(docker('exec', present(after.worker), 'sh', '-c', 'echo $LOUD')).toBe('1')
  })

  test('reads its logs', async () => {
    expect(await run('stacks', 'logs', name, '--service', 'db')).toContain('db up')
  })

  test('stopping removes the containers and keeps volumes and networks for the next deploy', async () => {
    docker('exec', present(containers().db), 'sh', '-c', 'echo mine > /data/kept')
    await run('stacks', 'stop', name)
    expect(docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)).toBe('')
    expect(docker('volume', 'ls', '-q', '--filter', `name=${name}_data`)).toBe(`${name}_data`)
    expect(docker('network', 'ls', '--filter', `name=${name}_default`, '-q')).not.toBe('')
    expect(await run('stacks', 'list')).toMatch(new RegExp(`${name} +local +stopped`))
    await run('stacks', 'deploy', name)
    expect(docker('exec', present(containers().db), 'cat', '/data/kept')).toBe('mine')
  })

  test('rejects a compose file that does not parse, with the position, and changes nothing', async () => {
    writeFileSync(join(folder, 'compose.yaml'), 'services:\n  web:\n    imagee: x\n')
    const { code, stderr } = await cli(place, ['stacks', 'update', name], { directory: folder })
    expect([code, stderr]).toEqual([1, expect.stringContaining('services.web')])
    expect(await run('stacks', 'get', name)).toContain('service_completed_successfully')
  })
})
