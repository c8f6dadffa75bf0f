// Demonstrates the service on a machine with nothing but Node: sets up, starts, deploys an example
// stack.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeClientFile } from './setup/client-file.mjs'
import { demoChoices } from './setup/demo-choices.mjs'
import { ensureBusybox, ensureEngine } from './setup/engine.mjs'
import { ensureJava } from './setup/java.mjs'
import { ensureModules } from './setup/modules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { port, agentPort, name, pagePort, context } = demoChoices(process.env)
const url = `http://localhost:${port}`
const data = process.env.SERVICE_DATA_DIR ?? join(root, 'data')
// A client that is logged in to another service keeps using that login.
const isElsewhere = loggedInElsewhere()

console.log('This takes some minutes the first time, most of them to install packages.')
if (!(ensureModules() && ensureJava() && (await ensureEngine()) && (await ensureBusybox()))) {
  console.error('The demo needs the programs named above.')
  process.exit(1)
}
console.log('Building the service, if its sources are newer')
await import('./ensure-built.mjs')
if (await healthy()) {
  console.error(
    `Another program already responds at ${url}. Stop it, or choose another SERVICE_PORT.`,
  )
  process.exit(1)
}

mkdirSync(data, { recursive: true, mode: 0o700 })
const log = join(data, 'demo.log')
const secret = randomBytes(24).toString('base64url')
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const service = spawn(process.execPath, [config.node, join(root, 'dist/service.js')], {
  cwd: root,
  // Its log would push what the demo prints out of sight.
  stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  env: {
    // The same value as in `npm start`, like the flags.
    MALLOC_ARENA_MAX: '1',
    ...process.env,
    SERVICE_PORT: port,
    SERVICE_AGENT_PORT: agentPort,
    SERVICE_DATA_DIR: data,
    SERVICE_SETUP_SECRET: secret,
    SERVICE_LOG_LEVEL: process.env.SERVICE_LOG_LEVEL ?? 'warn',
  },
})
const ended = new Promise((resolve) => service.once('exit', resolve))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill('SIGTERM'))

try {
  await work()
} catch (error) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20)
  console.error(`The end of ${log}:\n${lines.join('\n')}`)
  console.error(`The demo failed: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
  service.kill('SIGTERM')
}
await ended

async function work() {
  console.log(`Starting the service, log in ${log}`)
  await until(healthy, 60_000, 'the service does not respond')
  const password = await ensureAdmin()
  say('cli login', ['login', url, '--user', 'admin'], password)
  /** @type {{ name: string }[]} */
  const stacks = JSON.parse(cli(['stacks', 'list', '--output', 'json']))
  if (!stacks.some((stack) => stack.name === name)) {
    refuseForeign()
    const file = join(root, 'examples/hello/compose.yaml')
    const variables = join(data, 'demo.env')
    writeFileSync(variables, `PAGE_PORT=${pagePort}\n`)
    const words = ['stacks', 'create', name, '--file', file, '--env-file', variables]
    say(`cli stacks create ${name}`, words)
  }
  for (const verb of ['deploy', 'status']) say(`cli stacks ${verb} ${name}`, ['stacks', verb, name])
  const script = join(root, 'dist/cli.js')
  const onPath = writeClientFile(join(data, 'bin'), script, isElsewhere ? context : undefined)
  const page = pageOfStack()
  const text = await fetch(page).then((answer) => answer.text())
  console.log(`\nThe stack responds at ${page}: ${text.trim().split('\n')[0]}`)
  console.log(`
Open ${url} in a browser; the API is at ${url}/api/v1, its explorer at ${url}/api/v1/docs
User admin, password ${password} (also in ${join(data, 'demo-admin')})

Try next, in another terminal:
  ${onPath}
  source <(cli completion bash)    # Tab completes commands and names
  cli stacks list
  cli stacks logs ${name}
  cli stacks deploy ${name} --environment loud
  cli stacks stop ${name}
Ctrl-C ends the service; the containers go on.`)
}

/** Throws if another service, or docker compose, has a project with the name of the example. */
function refuseForeign() {
  /** @type {{ name: string }[]} */
  const projects = JSON.parse(cli(['api', 'GET', '/compose-projects']))
  if (!projects.some((project) => project.name === name)) return
  throw new Error(
    `a project ${name} already runs on this Docker Engine: ` +
      `choose another name for the example, such as DEMO_NAME=${name}-2 npm run demo`,
  )
}

/** Returns the URL of the example, which may have been created with another port. */
function pageOfStack() {
  /** @type {{ ports: { public: number | null }[] }[]} */
  const services = JSON.parse(cli(['stacks', 'status', name, '--output', 'json']))
  const ports = services.flatMap((service) => service.ports)
  const published = ports.find((one) => one.public !== null)
  if (!published) throw new Error(`the stack ${name} publishes no port`)
  return `http://localhost:${published.public}/`
}

/** Creates the admin on the first run and saves the password for later runs. */
async function ensureAdmin() {
  const file = join(data, 'demo-admin')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const password = randomBytes(12).toString('base64url')
  const answer = await fetch(`${url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret, username: 'admin', password }),
  })
  if (answer.status !== 201) {
    throw new Error(`the first admin could not be created: ${await answer.text()}`)
  }
  writeFileSync(file, `${password}\n`, { mode: 0o600 })
  return password
}

/** @type {(words: string, args: string[], input?: string) => void} */
function say(words, args, input) {
  console.log(`\n$ ${words}`)
  process.stdout.write(cli(args, input))
}

/** @type {(args: string[], input?: string) => string} */
function cli(args, input) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    input: input ?? '',
    encoding: 'utf8',
    env: { ...process.env, ...(isElsewhere && { CLI_CONTEXT: context }) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`cli ${args.join(' ')} failed`)
  return stdout
}

async function healthy() {
  return fetch(`${url}/api/v1/health`).then(
    (answer) => answer.ok,
    () => false,
  )
}

/**
 * Waits until `condition` holds. Throws `otherwise` if the service ends or time is up.
 *
 * @param {() => Promise<boolean>} condition
 * @param {number} milliseconds
 * @param {string} otherwise
 */
async function until(condition, milliseconds, otherwise) {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end || service.exitCode !== null) throw new Error(otherwise)
    await pause(100)
  }
}

function loggedInElsewhere() {
  try {
    const saved = readFileSync(join(homedir(), '.config/cli/config.json'), 'utf8')
    return JSON.parse(saved).server !== url
  } catch {
    return false
  }
}
