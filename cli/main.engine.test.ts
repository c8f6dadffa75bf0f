import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { admin, clientWorld, stackOf } from '../local/harness/client.ts'
import { clientProgram } from '../local/harness/client-program.ts'

const main = resolve(import.meta.dirname, 'main.ts')
const executable = clientProgram()
const client = executable ? [executable] : [process.execPath, '--import', 'tsx', main]

type World = Awaited<ReturnType<typeof clientWorld>>

/** Runs the executable. `shown` gets the output so far, and can type keys. */
function execute(
  argv: string[],
  { home }: World,
  options: { input?: string; shown?: (text: string, type: (keys: string) => void) => void } = {},
) {
  const [file = '', ...args] = argv
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm' }
  const child = spawn(file, args, { env, cwd: resolve(import.meta.dirname, '..') })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    options.shown?.(out, (keys) => child.stdin.write(keys))
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  if (!options.shown) child.stdin.end(options.input ?? '')
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    child.on('close', (code) => {
      done({ code, out, err })
    })
  })
}

const run = (words: string, world: World, input?: string) =>
  execute([...client, ...words.split(' ')], world, { input })

/** Runs the client in its own terminal. */
const onTerminal = (words: string, world: World, shown: Parameters<typeof execute>[2]) =>
  execute(['script', '-qec', [...client, words].join(' '), '/dev/null'], world, shown)

test('0, 1, 2, 3: exits with the code and prints failures to standard error', async () => {
  await using world = await clientWorld()
  const login = await run(`login ${world.server} --user ada`, world, `${admin.password}\n`)
  expect(login).toMatchObject({ code: 0, err: '' })
  expect((await stat(world.configFile)).mode & 0o777).toBe(0o600)
  expect(await readdir(dirname(world.configFile))).toEqual(['config.json'])
  const ends = await Promise.all([
    run('whoami', world),
    run('stacks status none', world),
    run('stacks list --bogus', world),
    run('whoami --token wrong', world),
  ])
  expect(ends.map(({ code }) => code)).toEqual([0, 1, 2, 3])
  expect(ends.slice(1).map(({ out }) => out)).toEqual(['', '', ''])
})

test('0: reads an API token from standard input', async () => {
  await using world = await clientWorld()
  await world.login()
  const { out } = await world.cli('tokens create ci')
  await world.cli('logout')
  expect((await run(`login ${world.server}`, world, out)).code).toBe(0)
  expect(JSON.parse(await readFile(world.configFile, 'utf8')).token).toBe(out.trim())
})

test('0: concurrent processes renew one session without ending it', async () => {
  await using world = await clientWorld()
  await world.login()
  world.ports.clock.advance(15 * 60_000)
  const ends = await Promise.all(Array.from({ length: 4 }, () => run('whoami', world)))
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  const renewals = world.log.lines.filter(({ fields }) => fields.route === 'POST /auth/refresh')
  expect(renewals.map(({ fields }) => fields.status)).toEqual([200])
  world.ports.clock.advance(15 * 60_000)
  expect((await run('whoami', world)).code).toBe(0)
})

test('7: a command in a container has its exit code, its input and separate streams', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', 'services: { web: { image: "busybox:latest", command: sleep 60 } }')
  const argv = [...client, 'containers', 'exec', 'shop-web-1', 'sh', '-c']
  const ended = await execute([...argv, 'echo out; echo err >&2; exit 7'], world)
  expect(ended).toEqual({ code: 7, out: 'out\n', err: 'err\n' })
  const read = await run('containers exec shop-web-1 cat', world, 'typed\n')
  expect(read).toEqual({ code: 0, out: 'typed\n', err: '' })
})

test('0: asks for the password on a terminal without showing it', async () => {
  await using world = await clientWorld()
  let typed = false
  const ended = await onTerminal(`login ${world.server} --user ada`, world, {
    shown(text, type) {
      if (typed || !text.includes('Password')) return
      typed = true
      type(`${admin.password}\r`)
    },
  })
  expect(ended.code).toBe(0)
  expect(ended.out).toContain(`Logged in to ${world.server} as ada`)
  for (const word of admin.password.split(' ')) expect(ended.out).not.toContain(word)
})

test('130: an interrupt leaves the prompt and saves nothing', async () => {
  await using world = await clientWorld()
  let typed = false
  const ended = await onTerminal(`login ${world.server}`, world, {
    shown(text, type) {
      if (typed || !text.includes('API token')) return
      typed = true
      type('\u0003')
    },
  })
  expect(ended.code).toBe(130)
  await expect(readFile(world.configFile)).rejects.toThrow('ENOENT')
})

test('0: a closed output pipe is not a failure', async () => {
  await using world = await clientWorld()
  const argv = ['sh', '-c', `${client.join(' ')} --help | true`]
  expect(await execute(argv, world)).toMatchObject({ code: 0, err: '' })
})

test('1: reports a failed write; a closed progress pipe does not stop the command', async () => {
  await using world = await clientWorld()
  const full = await execute(['sh', '-c', `${client.join(' ')} --help > /dev/full`], world)
  expect(full).toMatchObject({ code: 1, err: 'cli: cannot write to standard output: ENOSPC\n' })
  const words = 'stacks list --server http://127.0.0.1:1 --token t'
  const gone = await execute(['bash', '-c', `${client.join(' ')} ${words} 2> >(true)`], world)
  expect(gone).toMatchObject({ code: 1, out: '' })
})
