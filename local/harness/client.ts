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

/** Options of a call of the client. */
export interface CallOptions {
  /** Text of standard input, empty by default. It is never a terminal. */
  stdin?: string
  env?: Record<string, string>
  cwd?: string
  platform?: string
  /** Makes standard output and error terminals with this many columns. */
  columns?: number
  /** Receives a function that sends an interrupt, like Ctrl+C. */
  onInterrupt?: (interrupt: () => void) => void
  /** Receives each text written to standard output. */
  onOut?: (text: string) => void
  /** Receives each text written to standard error. */
  onNote?: (text: string) => void
}

/** The exit code and output of the client. */
export interface Ended {
  code: number
  out: string
  err: string
}

/** Runs the client in this process, without the process's own environment. */
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
 * Starts the whole service over memory ports behind a real listener, with an empty home directory
 * for the client. Creates an admin unless `setUp` is false.
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
    /** Returns the number of open feeds. */
    feeds: () => feedServer.size,
    server,
    home,
    configFile,
    /** Runs the client. A string is split at spaces. */
    cli: (argv: string | string[], options?: CallOptions) =>
      runClient(typeof argv === 'string' ? argv.split(' ') : argv, home, options),
    /** Stops listening. `back` listens on the same port again. */
    away: () => listener.close(AbortSignal.abort()),
    async back() {
      listener = await start(listener.port)
    },
    /** Returns the client's saved configuration. */
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

/** Creates a stack of one file and deploys it as the logged-in user. */
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
