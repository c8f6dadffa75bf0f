import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { WebSocket } from 'ws'
import { container, openSocket } from './feed-clients.ts'
import { median, quantile, ratio, short, sized, table, timed } from './numbers.ts'
import type { Service } from './service.ts'

const keystrokes = sized(500, 20)
const megabytes = sized(200, 4)
const rounds = sized(20, 2)
const output = ['dd', 'if=/dev/zero', 'bs=65536', `count=${megabytes * 16}`]
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** Compares commands in a container: `docker exec`, the client, and the bare feed. */
export async function execBench(service: Service): Promise<string> {
  const id = await container('sleep 10000')
  const home = mkdtempSync(join(tmpdir(), 'container-stacks-bench-'))
  const env = {
    ...process.env,
    HOME: home,
    CLI_SERVER: `http://127.0.0.1:${service.port}`,
    CLI_TOKEN: service.token,
  }
  const docker = ['docker', 'exec']
  const cli = [process.execPath, program, 'containers', 'exec']
  const typed = [
    await terminal([...docker, '-it', id], env),
    await terminal([...cli, id], env),
    await typing(await feed(service, id, ['cat'], true)),
  ]
  const times = await echoes(typed)
  const speeds = await inTurn(3, [
    () => speedOf([...docker, id, ...output], env),
    () => speedOf([...cli, '-T', id, ...output], env),
    () => feedSpeed(service, id),
  ])
  const starts = await inTurn(rounds, [
    () => timed(() => finished(run([...docker, id, 'true'], env))),
    () => timed(() => finished(run([...cli, '-T', id, 'true'], env))),
    () => timed(async () => once(await feed(service, id, ['true'], false), 'close')),
  ])
  rmSync(home, { recursive: true, force: true })
  const row = (name: string, [one = 0, other = 0, bare = 0]: number[]) => [
    ...[name, short(one), short(other), ratio(other, one), short(bare), ratio(bare, one)],
  ]
  return table(
    ['exec', 'docker exec', 'cli containers exec', 'ratio', 'the feed', 'ratio'],
    [
      row(
        'a key and its echo, median ms',
        times.map((all) => median(all)),
      ),
      row(
        'a key and its echo, p99 ms',
        times.map((all) => quantile(all, 0.99)),
      ),
      row('output, MB/s', speeds),
      row('`true`, start to end, ms', starts),
    ],
  )
}

/** A terminal session. `type` resolves when the typed text has been echoed. */
interface Typed {
  type(key: string): Promise<void>
  end(): void
}

async function echoes(typed: Typed[]): Promise<number[][]> {
  const times = typed.map((): number[] => [])
  for (let count = 0; count < keystrokes; count += 1) {
    for (const [at, one] of typed.entries()) times[at]?.push(await timed(() => one.type('x')))
    await pause(5)
  }
  for (const one of typed) one.end()
  return times
}

/** Runs a program in a pseudo terminal, with `cat` in the container. */
async function terminal(words: string[], env: NodeJS.ProcessEnv): Promise<Typed> {
  const line = [...words, 'sh', '-c', '"echo ready; exec cat"'].join(' ')
  const child = spawn('script', ['-qfec', line, '/dev/null'], { env })
  let heard = (_text: string) => {}
  child.stdout.on('data', (chunk) => heard(String(chunk)))
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`${words.join(' ')} ended`)))
      heard = (all) => all.includes(text) && resolve()
    })
  await until('ready')
  // By then the client has put its own terminal into raw mode.
  await pause(500)
  return {
    async type(key) {
      const back = until(key)
      child.stdin.write(key)
      await back
      child.removeAllListeners('exit')
    },
    end: () => void child.kill('SIGTERM'),
  }
}

async function feed(service: Service, id: string, words: string[], tty: boolean) {
  const cmd = words.map((word) => `&cmd=${encodeURIComponent(word)}`).join('')
  return openSocket(service, `/ws/exec/${id}?tty=${tty}${cmd}`)
}

async function typing(socket: WebSocket): Promise<Typed> {
  return {
    async type(key) {
      const back = once(socket, 'message')
      socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(key)]))
      await back
    },
    end: () => socket.terminate(),
  }
}

/** Returns the megabytes per second of a command's output, from its first byte to its last. */
async function speedOf(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = run(words, env)
  const count = counter()
  child.stdout?.on('data', (chunk: Buffer) => count.add(chunk.length))
  await finished(child)
  return count.speed()
}

async function feedSpeed(service: Service, id: string): Promise<number> {
  const socket = await feed(service, id, output, false)
  const count = counter()
  socket.on('message', (data: Buffer) => data[0] === 1 && count.add(data.length - 1))
  await once(socket, 'close')
  return count.speed()
}

function counter() {
  let [first, last, bytes] = [0, 0, 0]
  return {
    add(more: number) {
      last = performance.now()
      first ||= last
      bytes += more
    },
    speed() {
      if (bytes !== megabytes * 2 ** 20) throw new Error(`received ${bytes} bytes`)
      return bytes / 1e6 / ((last - first) / 1000)
    },
  }
}

function run([program = '', ...args]: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
}

async function finished(child: ChildProcess): Promise<void> {
  child.stdout?.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`)
}

/** Runs several functions in alternating rounds. Returns the median of each. */
async function inTurn(times: number, works: (() => Promise<number>)[]): Promise<number[]> {
  const found = works.map((): number[] => [])
  for (let round = 0; round < times; round += 1) {
    for (const [at, work] of works.entries()) found[at]?.push(await work())
  }
  return found.map((all) => median(all))
}
