import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { present } from '../../adapters/testing/present.ts'
import { type Distortion, distortions } from './distorted-json.ts'

/** Handles one request instead of an Engine. The path has no version and no query. */
type FailureMode = (path: string, response: ServerResponse, request: IncomingMessage) => unknown

/** Text in a broken Engine's responses that no error message may contain. */
export const engineMarker = 'words-of-the-engine'
const control = `\u001b]0;${engineMarker}\u0007\u0000\u001b[2J`

const json = { 'Content-Type': 'application/json' }
const send =
  (status: number, type: string, body: string): FailureMode =>
  (_path, response) =>
    response.writeHead(status, { 'Content-Type': type }).end(body)

/** Sends a header and the start of a body. Calls `after` once both are sent. */
const startBody =
  (headers: object, after: (response: ServerResponse) => void): FailureMode =>
  (_path, response) => {
    response.writeHead(200, { ...json, ...headers })
    response.write('[{"Id":"', () => setTimeout(after, 20, response))
  }

/** Faults that apply to every path, including `/version`. */
const everywhere: Record<string, FailureMode> = {
  'closes each connection at once': (_path, _response, { socket }) => socket.destroy(),
  'answers nothing': () => {},
  'answers HTML': send(200, 'text/html', `<html><b>${engineMarker}</b></html>${control}`),
  'answers bytes that are not HTTP': (_path, _response, { socket }) =>
    socket.end(`SSH-2.0-${control}\r\n`),
}

/** Faults that apply to every path but `/version` and `/_ping`. */
const afterPing: Record<string, FailureMode> = {
  'disconnects in the middle of an answer': startBody({ 'Content-Length': '999' }, ({ socket }) =>
    socket?.destroy(),
  ),
  'ends a chunked answer early': startBody({}, ({ socket }) => socket?.end()),
  'refuses with status 500': send(500, 'application/json', refusal()),
  'refuses with status 409': send(409, 'application/json', refusal()),
  'answers garbage': send(200, 'application/json', `\u0000\uffff{"Id":${control}`),
  'answers null': send(200, 'application/json', 'null'),
}

function refusal(): string {
  return JSON.stringify({
    message: `${engineMarker}${control}\n    at Object.<anonymous> (/x.js:1:1)`,
  })
}

/** Name of the fault in which every response starts and none ends. */
export const hanging = 'sends half of an answer and no more'

/** Forwards a request to the real Engine. */
function ask({ method, url, headers }: IncomingMessage, body: IncomingMessage) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const socketPath = '/var/run/docker.sock'
    body.pipe(request({ socketPath, method, path: url, headers }, resolve).on('error', reject))
  })
}

const works: FailureMode = async (_path, response, incoming) => {
  const real = await ask(incoming, incoming)
  response.writeHead(real.statusCode ?? 500, real.headers).flushHeaders()
  response.once('close', () => real.destroy())
  real.pipe(response)
}

/** The response to changes, which are not forwarded to the real Engine. */
const changed = { Id: 'a'.repeat(64), Warnings: ['x'], StatusCode: 0, message: 'x' }
const isStream = /^\/events$|\/(logs|archive)$/

/** Forwards reads to the real Engine and distorts its JSON. Changes nothing there. */
const distorted =
  (distort: Distortion): FailureMode =>
  async (path, response, incoming) => {
    if (incoming.method === 'HEAD' || isStream.test(path)) return works(path, response, incoming)
    const real = incoming.method === 'GET' ? await ask(incoming, incoming) : undefined
    const body = real ? await textOf(real, path.endsWith('/stats')) : JSON.stringify(changed)
    response.writeHead(real?.statusCode ?? 201, json).end(JSON.stringify(distort(JSON.parse(body))))
  }

/** Returns the whole body, or its first line. */
async function textOf(answer: IncomingMessage, isFirstLine: boolean): Promise<string> {
  let text = ''
  for await (const chunk of answer) {
    text += chunk
    if (isFirstLine && text.includes('\n')) break
  }
  return text
}

const except =
  (paths: readonly string[]) =>
  ([name, way]: [string, FailureMode]): [string, FailureMode] => [
    name,
    (path, response, incoming) => (paths.includes(path) ? works : way)(path, response, incoming),
  ]

/** All faults by name. */
export const failureModes: ReadonlyMap<string, FailureMode> = new Map([
  ...Object.entries(everywhere),
  ...Object.entries(afterPing).map(except(['/version', '/_ping'])),
  except(['/version'])([hanging, startBody({}, () => {})]),
  ...Object.entries(distortions(control))
    .map(([name, distort]): [string, FailureMode] => [`answers ${name}`, distorted(distort)])
    .map(except(['/version', '/_ping'])),
])

/** Starts a server in front of the real Engine. It works until a fault is chosen. */
export async function brokenEngine() {
  let way = works
  let asked = 0
  const open = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
    asked += 1
    for (const one of [incoming, response]) one.on('error', () => {})
    const path = present((incoming.url ?? '').replace(/^\/v\d+\.\d+/, '').split('?')[0])
    await Promise.resolve(way(path, response, incoming)).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('close', () => open.delete(socket))
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const hangUp = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    transport: { host: '127.0.0.1', port },
    /** The format of `DOCKER_HOST`. */
    address: `tcp://127.0.0.1:${port}`,
    /** The number of requests since the last choice. */
    get asked() {
      return asked
    },
    /** Activates a fault, or none without a name. Closes open connections. */
    choose(name?: string) {
      const chosen = name === undefined ? works : failureModes.get(name)
      if (!chosen) throw new Error(`no such way to be broken: ${name}`)
      way = chosen
      asked = 0
      hangUp()
    },
    async close() {
      hangUp()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
