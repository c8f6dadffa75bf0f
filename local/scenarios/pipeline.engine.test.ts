/** Runs the steps of a pipeline as a runner of GitHub, Gitea or Forgejo does, in bash. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { present } from '../../adapters/testing/present.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { writeClientFile } from '../setup/client-file.mjs'

const root = resolve(import.meta.dirname, '../..')
const place = newPlace()
const stack = unique('shop')
const server = createServer((_, response) => response.end(packed))
let running: Running
let admin: string
let packed: Buffer
let variables: Record<string, string>

interface Workflow {
  env: Record<string, string>
  steps: { uses?: string; run?: string; 'working-directory'?: string }[]
}

beforeAll(async () => {
  running = await startIn(place)
  admin = await setUpAdmin(place, running)
  const role = ['stacks:read', 'stacks:update', 'stacks:deploy']
  await change('POST', '/roles', { name: 'deployer', permissions: role })
  const ci = { username: 'ci', password: place.password }
  await change('POST', '/users', { ...ci, role: 'deployer' })
  const { access_token: session } = await change('POST', '/auth/login', ci)
  const token = await change('POST', '/api-tokens', { name: 'pipeline' }, session)
  const programs = join(place.directory, 'client')
  writeClientFile(programs, join(root, 'dist/cli.js'), undefined)
  packed = execFileSync('tar', ['-cz', '-C', programs, 'cli'])
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  variables = {
    'vars.CLI_SERVER': running.url,
    'vars.CLI_DOWNLOAD': `http://127.0.0.1:${port}/cli.tar.gz`,
    'secrets.CLI_TOKEN': token.token,
  }
})

afterAll(async () => {
  server.close()
  await removeFromEngine(stack)
  await place.remove()
})

async function change(method: string, path: string, body: unknown, token = admin) {
  const { status, json } = await api(running, method, path, { token, body })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
  return json
}

/** Replaces the expressions of a workflow, such as `${{ vars.NAME }}`. */
const filled = (text: string) =>
  text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name) => present(variables[name]))

/** Runs the job of the example in a checkout, whose files are in the folder of the stack. */
async function runJob(compose: string) {
  const checkout = join(place.directory, unique('checkout'))
  const home = join(place.directory, unique('home'))
  mkdirSync(join(checkout, stack), { recursive: true })
  mkdirSync(home)
  writeFileSync(join(checkout, stack, 'compose.yaml'), compose)
  const text = readFileSync(join(root, 'examples/ci/deploy.yaml'), 'utf8')
  // The example's own stack is `shop`.
  const { env, steps }: Workflow = parse(text.replaceAll(/\bshop\b/g, stack)).jobs.deploy
  const added = join(home, 'path')
  const output: string[] = []
  for (const { run, uses, ...step } of steps) {
    if (uses?.startsWith('actions/checkout@')) continue
    const script = join(home, 'step.sh')
    writeFileSync(script, filled(present(run)))
    const path = existsSync(added) ? readFileSync(added, 'utf8').trim().split('\n') : []
    const given = Object.entries(env).map(([name, value]) => [name, filled(value)])
    const ended = await bash(script, {
      cwd: join(checkout, step['working-directory'] ?? ''),
      env: {
        ...Object.fromEntries(given),
        HOME: home,
        GITHUB_PATH: added,
        PATH: [...path, present(process.env.PATH)].join(':'),
      },
    })
    output.push(ended.output)
    if (ended.code !== 0) return { code: ended.code, output: output.join('') }
  }
  return { code: 0, output: output.join('') }
}

/** As a runner starts a step that names no shell. */
const bash = (script: string, options: { cwd: string; env: Record<string, string> }) =>
  new Promise<{ code: unknown; output: string }>((done) => {
    execFile('bash', ['-e', script], options, (error, out, err) =>
      done({ code: error ? error.code : 0, output: out + err }),
    )
  })

const composeOf = (command: string) =>
  `services: { web: { image: "busybox:latest", command: ${command}, stop_grace_period: 0s } }\n`

test('a pipeline deploys what it checked out, and is red if the deployment failed', async () => {
  await change('POST', '/stacks', { name: stack, compose: composeOf('sleep 60') })
  const first = await runJob(composeOf('sleep 61'))
  expect(first, first.output).toMatchObject({ code: 0 })
  const { json } = await api(running, 'GET', `/stacks/${stack}`, { token: admin })
  expect(json).toMatchObject({ revision: 2, deployed_revision: 2, status: 'running' })
  const missing = composeOf('sleep 62').replace('busybox:latest', `${stack}:missing`)
  const failed = await runJob(
    `${missing}# never pulled\n`.replace('command', 'pull_policy: never, command'),
  )
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining(`${stack}:missing`) })
  expect(failed.output).not.toContain(present(variables['secrets.CLI_TOKEN']))
})
