// Demonstrates the service on a machine with nothing but Node: sets up, starts, deploys an example
// stack.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureBusybox, ensureEngine } from './setup/engine.mjs'
import { ensureJava } from './setup/java.mjs'
import { ensureModules } from './setup/modules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const port = process.env.SERVICE_PORT ?? '8080'
const url = `http://localhost:${port}`
const data = process.env.SERVICE_DATA_DIR ?? join(root, 'data')
// A client that is logged in to another service keeps that login. The demo's client then has a home
// directory of its own.
const home = loggedInElsewhere() ? join(data, 'demo-home') : homedir()

if (!(ensureModules() && ensureJava() && (await ensureEngine()) && (await ensureBusybox()))) {
  console.error('The demo needs the programs named above.')
  process.exit(1)
}
await import('./ensure-built.mjs')
if (await healthy()) {
  console.error(
    `Another program already responds at ${url}. Stop it, or choose another SERVICE_PORT.`,
  )
  process.exit(1)
}

mkdirSync(data, { recursive: true, mode: 0o700 })
const secret = randomBytes(24).toString('base64url')
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const service = spawn(process.execPath, [config.node, join(root, 'dist/service.js')], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    // The same value as in `npm start`, like the flags.
    MALLOC_ARENA_MAX: '1',
    ...process.env,
    SERVICE_PORT: port,
    SERVICE_DATA_DIR: data,
    SERVICE_SETUP_SECRET: secret,
    SERVICE_LOG_LEVEL: process.env.SERVICE_LOG_LEVEL ?? 'warn',
  },
})
service.stdout.on('data', (chunk) => process.stderr.write(chunk))
const ended = new Promise((resolve) => service.once('exit', resolve))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill('SIGTERM'))

try {
  await work()
} catch (error) {
  console.error(`The demo failed: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
  service.kill('SIGTERM')
}
await ended

async function work() {
  await until(healthy, 60_000, 'the service does not respond')
  const password = await ensureAdmin()
  say('cli login', ['login', url, '--user', 'admin'], password)
  /** @type {{ name: string }[]} */
  const stacks = JSON.parse(cli(['stacks', 'list', '--output', 'json']))
  const known = stacks.some(({ name }) => name === 'hello')
  if (!known) {
    const folder = join(root, 'examples/hello')
    say('cli stacks create hello', [
      'stacks',
      'create',
      'hello',
      '--file',
      `${folder}/compose.yaml`,
    ])
  }
  say('cli stacks deploy hello', ['stacks', 'deploy', 'hello'])
  say('cli stacks status hello', ['stacks', 'status', 'hello'])
  const page = await fetch('http://localhost:8081/').then((answer) => answer.text())
  console.log(`\nThe stack responds at http://localhost:8081/: ${page.trim().split('\n')[0]}`)
  console.log(`
Open ${url} in a browser; the API is at ${url}/api/v1, its explorer at ${url}/api/v1/docs
User admin, password ${password} (also in ${join(data, 'demo-admin')})

Try next, in another terminal:
${home === homedir() ? '' : `  export HOME=${home}\n`}  npm run -s cli -- stacks list
  npm run -s cli -- stacks logs hello
  npm run -s cli -- stacks deploy hello --environment loud
  npm run -s cli -- stacks stop hello
Ctrl-C ends the service; the containers go on.`)
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
    env: { ...process.env, HOME: home },
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
