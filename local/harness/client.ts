import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { listen } from '../../adapters/node/http/listen.ts'
import type { WebFiles } from '../../adapters/node/http/web-files.ts'
import { serveFeeds } from '../../adapters/sidecar/feeds/serve.ts'
import { memoryEngine } from '../../adapters/testing/memory/engine.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { memoryPorts, memorySetupSecret } from '../../adapters/testing/memory/stores.ts'
import type { Io } from '../../cli/io.ts'
import { run } from '../../cli/run.ts'
import { feeds, prefix, routes } from '../../serverless.ts'
import {
  type CallOptions,
  clientProgram,
  type Ended,
  runProgram,
  suitsProgram,
} from './client-program.ts'

/**
 * Runs the client without the environment of this process: in this process, or as the executable
 * that `CLI_EXECUTABLE` names.
 */
export async function runClient(argv: string[], home: string, options: CallOptions = {}) {
  const program = clientProgram()
  if (program && suitsProgram(options)) return runProgram(program, argv, home, options)
  const stdout = collector(options.columns)
  const stderr = collector(options.columns)
  stdout.stream.on('data', (chunk: Buffer) => options.onOut?.(chunk.toString('utf8')))
  stderr.stream.on('data', (chunk) => options.onNote?.(String(chunk)))
  const io: Io = {
    stdin:
      options.keys === undefined ? inputOf(options.stdin) : typing(options.keys, stderr.stream),
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

const inputOf = (text: string | undefined) =>
  Readable.from(text === undefined ? [] : [Buffer.from(text)])

/** Returns a terminal's input: keys are typed when the output shows a question. */
function typing(keys: string, output: Readable): Io['stdin'] {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} })
  let isTyped = false
  output.on('data', (chunk: Buffer) => {
    if (isTyped || !chunk.includes('?')) return
    isTyped = true
    // The prompt listens once it has drawn its question.
    setImmediate(() => input.write(keys))
  })
  return input
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

type WorldPorts = ReturnType<typeof memoryPorts<Record<never, never>>>

interface WorldOptions {
  setUp?: boolean
  ports?: WorldPorts
  /** The browser UI, which is not served without it. */
  web?: WebFiles | undefined
}

/**
 * Starts the whole service over memory ports behind a real listener, with an empty home directory
 * for the client. Creates an admin unless `setUp` is false. The Engine is in memory too, unless
 * `ports` have another.
 */
export async function clientWorld(options: WorldOptions = {}) {
  const ports: WorldPorts = options.ports ?? memoryPorts<Record<never, never>>()
  const engine = memoryEngine({ now: () => ports.clock.now() })
  if (!options.ports) ports.engines.byHost.set('local', engine)
  const log = memoryLog()
  const feedServer = serveFeeds({ feeds, prefix, ports, log, limits: { closing: 200 } })
  const { onUpgrade } = feedServer
  const start = (port: number) =>
    listen({ routes, prefix, ports, log, port, host: '127.0.0.1', onUpgrade, web: options.web })
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
