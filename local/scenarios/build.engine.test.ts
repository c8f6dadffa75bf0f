import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { release, untilHeld, untilReleased } from '../harness/held-build.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const name = unique('built')
const directory = join(place.directory, 'stacks', name)
let running: Running
let token: string

const compose = `services:
  app:
    build:
      context: ./app
      args: { GREETING: hello }
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    depends_on: [base]
    pull_policy: \${POLICY:-build}
    environment: { WHO: service }
    volumes: ["data:/data"]
    pre_start:
      - command: ["sh", "-c", "echo \\"$$WHO $$(cat /greeting)\\" > /data/made; chmod 777 /data"]
        environment: { WHO: hook }
    post_start:
      - command: ["sh", "-c", "test -f /data/made && touch /data/after-$$WHO-$$(id -u)"]
        user: "7"
        environment: { WHO: post }
        privileged: false
        working_dir: /data
      - command: touch /data/after
    pre_stop:
      - command: touch /data/stopped
  base:
    image: ${name}/base:1
    scale: 1
    build:
      dockerfile_inline: |
        FROM busybox
        RUN echo base > /base
    command: sleep 3600
    init: true
    stop_grace_period: 1s
  reader:
    image: busybox:latest
    command: sleep 3600
    init: true
    stop_grace_period: 1s
    network_mode: none
    volumes_from: ["app:ro"]
volumes:
  data:
`

const exec = (service: string, script: string) =>
  docker('exec', `${name}-${service}-1`, 'sh', '-c', script)
const idOf = (service: string) => docker('inspect', '-f', '{{.Id}}', `${name}-${service}-1`)

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

const deploy = async (body: Record<string, string> = {}) =>
  (await api(running, 'POST', `/stacks/${name}/deploy`, { token, body })).json

const warnings = async () => (await api(running, 'GET', `/stacks/${name}`, { token })).json.warnings

const update = (env: string) =>
  api(running, 'PUT', `/stacks/${name}`, { token, body: { compose, env } })

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await api(running, 'POST', '/stacks', { token, body: { name, compose } })
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  const label = `label=com.docker.compose.project=${name}`
  const images = docker('images', '-q', '--filter', label).split('\n').filter(Boolean)
  if (images.length > 0) docker('rmi', '-f', ...new Set(images))
  await place.remove()
})

describe('a stack with built images', () => {
  test('422: its context is not on the host; nothing of it runs', async () => {
    const refused = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringContaining(
        'services.app.build.context: ./app is neither in the files of the stack nor on the host',
      ),
    ])
    const label = `label=com.docker.compose.project=${name}`
    expect(docker('ps', '-aq', '--filter', label)).toBe('')
    expect(docker('images', '-q', '--filter', label)).toBe('')
    expect((await api(running, 'GET', `/stacks/${name}/deployments`, { token })).json).toEqual([])
  })

  test('builds each image after its base, and runs the hooks', async () => {
    write({
      'app/Dockerfile': `FROM ${name}/base:1\nARG GREETING\nRUN echo $GREETING > /greeting\nCOPY . /app\n`,
      'app/.dockerignore': 'secret',
      'app/secret': 'x',
      'app/page': 'one',
    })
    expect(await deploy()).toMatchObject({ status: 'succeeded', error: null })
    expect(exec('app', 'cat /base /greeting /app/page; ls /app')).toBe(
      'base\nhello\noneDockerfile\npage',
    )
    expect(exec('reader', 'ls /data; cat /data/made')).toBe('after\nafter-post-7\nmade\nhook hello')
    expect(() => exec('reader', 'touch /data/x 2>/dev/null')).toThrow()
    const labels = JSON.parse(
      docker('inspect', '-f', '{{json .Config.Labels}}', `${name}-app:latest`),
    )
    expect(labels).toMatchObject({
      'com.docker.compose.project': name,
      'com.docker.compose.service': 'app',
    })
    expect(docker('ps', '-aq', '--filter', `name=${name}-app-pre_start`)).toBe('')
  })

  test('builds again and recreates nothing while the context is unchanged', async () => {
    const before = idOf('app')
    const { status, steps } = await deploy()
    expect(status).toBe('succeeded')
    expect(steps.map(({ action }: { action: string }) => action)).toEqual(['build'])
    expect(idOf('app')).toBe(before)
  })

  test('recreates only the service whose context changed', async () => {
    const before = [idOf('app'), idOf('base')]
    write({ 'app/page': 'two' })
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
    expect(exec('app', 'cat /app/page')).toBe('two')
    expect([idOf('app') === before[0], idOf('base') === before[1]]).toEqual([false, true])
  })

  test('keeps running containers if a build fails', async () => {
    const before = idOf('app')
    write({ 'app/Dockerfile': 'FROM busybox\nRUN echo reason; exit 3\n' })
    const { status, error } = await deploy()
    expect([status, error]).toEqual(['failed', expect.stringContaining('reason')])
    expect(idOf('app')).toBe(before)
    expect(docker('inspect', '-f', '{{.State.Running}}', `${name}-app-1`)).toBe('true')
  })

  test('is not disturbed by a prune of images, which is refused meanwhile', async () => {
    const slow = `RUN ${untilReleased}; echo $GREETING > /greeting`
    write({ 'app/Dockerfile': `FROM ${name}/base:1\nARG GREETING\n${slow}\nCOPY . /app\n` })
    const deploying = deploy()
    const step = await untilHeld('> /greeting')
    const pruned = await api(running, 'POST', '/images/prune', { token })
    expect([pruned.status, pruned.json.error]).toEqual([
      409,
      expect.stringContaining('a deployment builds or tags an image'),
    ])
    await release(step)
    expect(await deploying).toMatchObject({ status: 'succeeded', error: null })
  })

  test('builds nothing if the pull policy accepts existing images', async () => {
    expect((await update('POLICY=missing\n')).status).toBe(200)
    const { status, steps } = await deploy()
    expect([status, steps.map(({ action }: { action: string }) => action)]).toEqual([
      'succeeded',
      ['write'],
    ])
  })

  test('warns of an image that is older than its files until `build: always` builds it', async () => {
    const files = { 'app/page': { content: 'three' } }
    await api(running, 'PUT', `/stacks/${name}`, { token, body: { files } })
    const warning =
      `service app: ./app/page changed since its image was built: ` +
      `\`cli stacks deploy ${name} --build\` builds it again`
    const first = await deploy({ on_drift: 'overwrite' })
    expect([first.status, first.warnings]).toEqual(['succeeded', [warning]])
    expect([(await deploy()).warnings, await warnings()]).toEqual([[warning], [warning]])
    const { status, steps } = await deploy({ build: 'always' })
    expect(status).toBe('succeeded')
    const reasons = steps.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toContain('./app/page changed since its image was built')
    expect(exec('app', 'cat /app/page')).toBe('three')
    expect(await warnings()).toEqual([])
  })

  test('runs pre_stop before a stop', async () => {
    await api(running, 'POST', `/stacks/${name}/stop`, { token })
    const volume = docker('volume', 'inspect', '-f', '{{.Name}}', `${name}_data`)
    expect(docker('run', '--rm', '-v', `${volume}:/d`, 'busybox', 'ls', '/d')).toContain('stopped')
  })
})
