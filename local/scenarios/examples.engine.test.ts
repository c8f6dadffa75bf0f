/** Costs: compiles the client library as npm installs it; each request of Ansible starts Python. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { buildClientLibrary } from '../../packaging/client/pack.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { type Loss, type Sending, startLossyProxy } from '../harness/lossy-proxy.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { rowsNamed } from '../harness/rings.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const root = resolve(import.meta.dirname, '../..')
const place = newPlace()
const folder = join(place.directory, 'programs')
const prefix = unique('examples')
let running: Running
let token: string

const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    environment: { COLOUR: "\${COLOUR:-}", GREETING: "\${GREETING:-}" }
`

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  mkdirSync(folder, { recursive: true })
  // As npm installs it.
  buildClientLibrary(join(folder, 'node_modules/container-stacks-client'))
  for (const one of ['openapi-fetch', 'openapi-typescript-helpers', 'ws'])
    symlinkSync(join(root, 'node_modules', one), join(folder, 'node_modules', one))
  for (const one of ['client', 'python', 'ansible'])
    cpSync(join(root, 'examples', one), folder, { recursive: true })
  writeFileSync(join(folder, 'compose.yaml'), compose)
})

afterAll(async () => {
  await removeFromEngine(prefix)
  await place.remove()
})

/** Starts an example with its output. */
function start([program = '', ...words]: readonly string[], server = running.url) {
  const { PATH } = process.env
  const env = { PATH, HOME: place.directory, LANG: 'C.UTF-8', SERVER: server, TOKEN: token }
  const child = spawn(...boundToParent(program, words), { cwd: folder, env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, output, ended }
}

const ask = async (path: string) => (await api(running, 'GET', path, { token })).json
const library = `${prefix}-library`

test('the examples deploy a stack and follow its events', async () => {
  const events = start([process.execPath, 'follow-events.mjs'])
  await expect.poll(() => running.lines.some((line) => line.includes('/ws/ticket'))).toBe(true)
  const deploy = start([process.execPath, 'deploy.mjs', library, 'compose.yaml'])
  expect(await deploy.ended, deploy.output.err).toBe(0)
  expect(deploy.output.out).toContain(`${library}: succeeded\n${library}-web-1: running\n`)
  await expect.poll(() => events.output.out).toContain(`container.start ${library}-web-1`)
  events.child.kill('SIGINT')
  expect(await events.ended, events.output.err).toBe(0)
})

test('409: an example prints the error of the service', async () => {
  const again = start([process.execPath, 'deploy.mjs', library, 'compose.yaml'])
  expect(await again.ended).toBe(1)
  expect(again.output.err).toMatch(new RegExp(`^${library}: .*exists`))
})

/** Loses the response of each request once, and some of the repeated requests as well. */
function losing() {
  let requests = 0
  return ({ count }: Sending): Loss | undefined => {
    if (count === 1) requests += 1
    if (count === 1) return requests % 2 === 0 ? 'response' : 'half of the response'
    return count === 2 && requests % 3 === 0 ? 'request' : undefined
  }
}

/**
 * The programs that go on over lost responses: whether the proxy loses some, and whether the
 * program is killed when it deploys, and started again.
 */
const programs = rowsNamed(
  [
    { title: 'JavaScript', word: 'javascript', isLossy: true, isKilled: false },
    { title: 'Python', word: 'python', isLossy: true, isKilled: false },
    { title: 'Ansible', word: 'ansible', isLossy: false, isKilled: false },
    {
      title: 'Ansible, killed and losing responses',
      word: 'ansible',
      isLossy: true,
      isKilled: true,
    },
  ],
  ['JavaScript', 'Python', 'Ansible'],
  ({ title }) => title,
)

const commands: Record<string, (name: string) => string[]> = {
  javascript: (name) => [process.execPath, 'deploy-safely.mjs', name, 'compose.yaml'],
  python: (name) => ['python3', 'deploy_safely.py', name, 'compose.yaml'],
  ansible: (name) => [
    ...['ansible-playbook', 'deploy-safely.yaml'],
    ...['-e', `stack=${name}`, '-e', `run_id=run-of-${name}`],
  ],
}

test.concurrent.each(programs)(
  'an example makes each change once: $title',
  async ({ word, isLossy, isKilled }) => {
    const name = `${prefix}-${word}${isLossy ? '-lossy' : ''}`
    const lossOf = losing()
    const lost: string[] = []
    let atDelete: Promise<unknown> | undefined
    let program: ReturnType<typeof start> | undefined
    let mayBeKilled = isKilled
    const proxy = await startLossyProxy(running.url, async (sending) => {
      if (sending.method === 'DELETE') {
        atDelete ??= shown(name)
        await atDelete
      }
      if (mayBeKilled && sending.path.includes('/deploy?')) {
        mayBeKilled = false
        program?.child.kill('SIGKILL')
        return 'response'
      }
      const loss = isLossy ? lossOf(sending) : undefined
      if (loss) lost.push(`${sending.method} ${loss}`)
      return loss
    })
    const words = present(commands[word])(name)
    program = start(words, proxy.url)
    if (isKilled) {
      expect(await program.ended).toBe(null)
      program = start(words, proxy.url)
    }
    const code = await program.ended
    await proxy.close()
    expect(code, program.output.out + program.output.err).toBe(0)
    expect(await atDelete).toEqual(planned)
    expect((await api(running, 'GET', `/stacks/${name}`, { token })).status).toBe(404)
    expect(await ask(`/containers?stack=${name}`)).toEqual([])
    const { succeeded, refused } = await changesOf(name)
    expect(succeeded).toEqual([
      'stacks.create 201',
      'stacks.deploy 202',
      'stacks.update 200',
      'stacks.update 200',
      'stacks.deploy 202',
      'stacks.delete 202',
    ])
    expect(refused).toContain('stacks.update 409')
    const methods = new Set(lost.map((one) => one.split(' ')[0]))
    expect([...methods].sort()).toEqual(isLossy ? ['DELETE', 'GET', 'POST', 'PUT'] : [])
  },
)

/** What there is before a program deletes its stack. */
const planned = {
  revision: 3,
  deployed_revision: 3,
  env: 'COLOUR=blue\nGREETING=hello\n',
  deployments: ['deploy 3 succeeded', 'deploy 1 succeeded'],
}

async function shown(name: string) {
  const { revision, deployed_revision, env } = await ask(`/stacks/${name}`)
  const rows: { kind: string; revision: number; status: string }[] = await ask(
    `/stacks/${name}/deployments`,
  )
  const deployments = rows.map((row) => `${row.kind} ${row.revision} ${row.status}`)
  return { revision, deployed_revision, env, deployments }
}

/** Returns the audit rows of requests that changed a stack, or should have, oldest first. */
async function changesOf(name: string) {
  const rows: AuditRow[] = await ask('/audit?action=stacks')
  const own = rows
    .filter(({ subject, status }) => subject?.id === name && status !== null)
    .filter(({ action }) => action !== 'stacks.read')
    .reverse()
  const those = (outcome: string) =>
    own.filter((row) => row.outcome === outcome).map(({ action, status }) => `${action} ${status}`)
  return { succeeded: those('succeeded'), refused: those('failed') }
}

interface AuditRow {
  action: string
  outcome: string
  status: number | null
  subject: { id: string } | null
}
