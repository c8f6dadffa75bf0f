import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { freePort } from '../harness/free-port.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const name = unique('keys')
const compose = `services:
  job:
    image: busybox:latest
    command: sh -c 'while ! test -e /tmp/over; do sleep 0.1; done'
    stop_grace_period: 0s
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    depends_on:
      job: { condition: service_completed_successfully }
`

const place = newPlace()
let running: Running
let token: string

beforeAll(async () => {
  // The client finds the service again after a restart.
  place.env.SERVICE_PORT = String(await freePort())
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const login = await cli(place, ['login', running.url, '--token', token])
  expect([login.code, login.stderr]).toEqual([0, expect.any(String)])
  const made = await until(
    () => api(running, 'POST', '/stacks', { token, body: { name, compose } }),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}`, { token })
  await place.remove()
})

/** Runs the client on its own terminal. */
function onTerminal(...words: string[]) {
  // Without `exec` a shell stays between, and its end by Ctrl-C hides the client's exit code.
  const line = ['exec', process.execPath, program, ...words].join(' ')
  const child = spawn(...boundToParent('script', ['-qec', line, '/dev/null']), {
    env: { ...process.env, HOME: place.directory, TERM: 'xterm' },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    type: (keys: string) => child.stdin.write(keys),
    says: (text: string) =>
      until(
        async () => shown,
        (all) => all.includes(text),
        60,
      ),
    ended,
  }
}

const interrupt = '\u0003'
const down = '\u001b[B'

const newest = async () =>
  (await api(running, 'GET', `/stacks/${name}/deployments`, { token })).json[0]
const jobRuns = () =>
  until(
    async () => docker('ps', '-q', '--filter', `name=^${name}-job-1$`),
    (id) => id !== '',
  )

test('Ctrl-C asks what to do, and cancels the deployment', async () => {
  const deploy = onTerminal('stacks', 'deploy', name)
  await jobRuns()
  deploy.type(interrupt)
  await deploy.says('What now?')
  deploy.type(`${down}\r`)
  await deploy.says('was interrupted: cancelled by admin')
  expect(await deploy.ended).toBe(1)
  expect(await newest()).toMatchObject({ status: 'interrupted', error: 'cancelled by admin' })
})

test('a second Ctrl-C exits, and the deployment continues', async () => {
  const deploy = onTerminal('stacks', 'deploy', name)
  await deploy.says(`${name}-job-1`)
  deploy.type(interrupt)
  await deploy.says('What now?')
  deploy.type(interrupt)
  expect(await deploy.ended).toBe(130)
  expect((await newest()).status).toBe('running')
  docker('exec', await jobRuns(), 'touch', '/tmp/over')
  expect(await until(newest, ({ status }) => status !== 'running')).toMatchObject({
    status: 'succeeded',
  })
})

test('watch outlives a service that is killed and started again', async () => {
  const body = { force_recreate: true }
  const path = `/stacks/${name}/deploy?wait=false`
  expect((await api(running, 'POST', path, { token, body })).status).toBe(202)
  const watch = onTerminal('stacks', 'deployments', 'watch', name)
  await watch.says(`${name}-job-1`)
  running.child.kill('SIGKILL')
  await running.ended
  running = await startIn(place)
  // The deployment goes on, and its job waits in a new container.
  const latest = Date.now() + 60_000
  while (Date.now() < latest && (await newest()).status === 'running') {
    finishJob()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect((await newest()).status).toBe('succeeded')
  expect(await watch.ended).toBe(0)
})

/** Ends the job if it runs. Its container may be replaced at this moment. */
const finishJob = () =>
  spawnSync('docker', ['exec', `${name}-job-1`, 'touch', '/tmp/over'], { stdio: 'ignore' })

test('Ctrl-C in a one-off container reaches its command', async () => {
  const script = `'trap "exit 7" INT; echo ready; while :; do sleep 0.1; done'`
  const run = onTerminal('stacks', 'run', name, 'web', 'sh', '-c', script)
  await run.says('ready')
  run.type(interrupt)
  expect(await run.ended).toBe(7)
  expect(docker('ps', '-aq', '--filter', `name=${name}-web-run`)).toBe('')
})
