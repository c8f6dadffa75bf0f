import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { memoryEngine } from '../../adapters/memory/engine.ts'
import { memoryLog } from '../../adapters/memory/log.ts'
import { memoryPorts, memorySetupSecret } from '../../adapters/memory/stores.ts'
import { listen } from '../../adapters/node/http/listen.ts'
import { serveFeeds } from '../../adapters/sidecar/feeds/serve.ts'
import type { Io } from '../../cli/io.ts'
import { run } from '../../cli/run.ts'
import { feeds, prefix, routes } from '../../serverless.ts'

/** What a call of the client may differ in. */
export interface CallOptions {
  /** Text of standard input; a terminal is none. */
  stdin?: string
  env?: Record<string, string>
  cwd?: string
  platform?: string
  /** Standard output and error are terminals of this many columns. */
  columns?: number
  /** Gets what sends the interrupt that a person would type. */
  onInterrupt?: (interrupt: () => void) => void
  /** Gets what is written to standard output, as it comes. */
  onOut?: (text: string) => void
  /** Gets each text of standard error as it is written. */
  onNote?: (text: string) => void
}

/** How a call of the client ended, and what it wrote. */
export interface Ended {
  code: number
  out: string
  err: string
}

/** Runs the client in this process. Nothing of the process's own environment reaches it. */
export async function runClient(argv: string[], home: string, options: CallOptions = {}) {
  const stdout = collector(options.columns)
  const stderr = collector(options.columns)
  stdout.stream.on('data', (chunk: Buffer) => options.onOut?.(chunk.toString('utf8')))
  stderr.stream.on('data', (chunk) => options.onNote?.(String(chunk)))
  const io: Io = {
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { HOME: home, ...options.env },
    platform: options.platform ?? 'linux',
    cwd: options.cwd ?? home,
    onInterrupt(listener) {
      options.onInterrupt?.(listener)
      return () => {}
    },
  }
  const code = await run(argv, io)
  return { code, out: stdout.text(), err: stderr.text() } satisfies Ended
}

function collector(columns: number | undefined) {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const terminal = columns === undefined ? {} : { isTTY: true, columns, rows: 24 }
  return {
    stream: Object.assign(stream, terminal),
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

/** The first admin of every world. */
export const admin = { username: 'ada', password: 'correct horse battery' }

/**
 * The whole service over memory ports behind a real listener, with an admin unless `setUp` is false, and an empty home
 * directory. `cli` runs the client there.
 */
export async function clientWorld(options: { setUp?: boolean } = {}) {
  const ports = memoryPorts()
  const engine = memoryEngine({ now: () => ports.clock.now() })
  ports.engines.byHost.set('local', engine)
  const log = memoryLog()
  const feedServer = serveFeeds({ feeds, prefix, ports, log, limits: { closing: 200 } })
  const { onUpgrade } = feedServer
  const start = (port: number) =>
    listen({ routes, prefix, ports, log, port, host: '127.0.0.1', onUpgrade })
  let listener = await start(0)
  const server = `http://127.0.0.1:${listener.port}`
  const home = await mkdtemp(join(tmpdir(), 'client-'))
  const configFile = join(home, '.config', 'cli', 'config.json')
  if (options.setUp ?? true) await setUp(server)
  return {
    ports,
    engine,
    log,
    /** How many feeds are open. */
    feeds: () => feedServer.size,
    server,
    home,
    configFile,
    /** Runs the client; the words are split at blanks unless given apart. */
    cli: (argv: string | string[], options?: CallOptions) =>
      runClient(typeof argv === 'string' ? argv.split(' ') : argv, home, options),
    /** Takes the service off its port, and puts it back. */
    away: () => listener.close(AbortSignal.abort()),
    async back() {
      listener = await start(listener.port)
    },
    /** What the client has saved. */
    config: async () => JSON.parse(await readFile(configFile, 'utf8')),
    async login() {
      const argv = ['login', server, '--user', admin.username]
      const ended = await runClient(argv, home, { stdin: admin.password })
      if (ended.code !== 0) throw new Error(ended.err)
    },
    async [Symbol.asyncDispose]() {
      await ports.background.settled()
      await feedServer.close(AbortSignal.abort())
      await listener.close(AbortSignal.abort())
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function setUp(server: string) {
  const answer = await fetch(`${server}${prefix}/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: memorySetupSecret, ...admin }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

type World = Awaited<ReturnType<typeof clientWorld>>

/** Creates a stack of one file and deploys it, as the one who is logged in. */
export async function stackOf(world: World, name: string, compose: string) {
  const file = join(world.home, `${name}.yaml`)
  await writeFile(file, compose)
  for (const argv of [
    ['stacks', 'create', name, '--file', file],
    ['stacks', 'deploy', name],
  ]) {
    const ended = await world.cli(argv)
    if (ended.code !== 0) throw new Error(ended.err)
  }
}
