import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { socketPath as realEngine } from '../engine.ts'
import { crowdOf, framedLines, inspected, listed, toggleContainer } from './crowd.ts'

// The Engine of this machine with a thousand containers instead of its own: it answers for them and
// forwards everything else. `POST /bench?events=200&lines=10000` sets how many events and log lines
// there are each second.
const crowd = crowdOf(Number(process.env.CROWD))
const rates = { events: 0, lines: 0 }
const followers = { events: new Set<ServerResponse>(), lines: new Set<ServerResponse>() }
/** Milliseconds between two writes. */
const pace = 10

type Answer = (url: URL, response: ServerResponse) => unknown

const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

function follow(kind: keyof typeof followers, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders()
  followers[kind].add(response)
  response.once('close', () => followers[kind].delete(response))
}

const answers: [RegExp, Answer][] = [
  [/^POST \/bench$/, setRates],
  [/^GET \/containers\/json$/, list],
  [/^GET \/events$/, (_url, response) => follow('events', response)],
  [/^GET \/containers\/c0ffee\w+\/json$/, inspect],
  [/^GET \/containers\/c0ffee\w+\/logs$/, logs],
  [/^\w+ \/containers\/c0ffee\w+\//, (_url, response) => response.writeHead(404).end('{}')],
]

function setRates({ searchParams }: URL, response: ServerResponse): void {
  for (const kind of ['events', 'lines'] as const) {
    rates[kind] = Number(searchParams.get(kind) ?? rates[kind])
  }
  response.writeHead(204).end()
}

function list({ searchParams }: URL, response: ServerResponse): void {
  const ids: unknown = JSON.parse(searchParams.get('filters') ?? '{}').id
  const shown = Array.isArray(ids) ? crowd.filter(({ id }) => ids.includes(id)) : crowd
  json(response, shown.map(listed))
}

function inspect({ pathname }: URL, response: ServerResponse): void {
  const one = crowd.find(({ id }) => pathname.includes(id))
  if (one) json(response, inspected(one))
  else response.writeHead(404).end('{}')
}

function logs({ searchParams }: URL, response: ServerResponse): void {
  if (searchParams.get('follow')) follow('lines', response)
  else response.writeHead(200).end(framedLines(100))
}

const server = createServer((incoming, response) => {
  response.on('error', () => {})
  const url = new URL(incoming.url ?? '/', 'http://engine')
  url.pathname = url.pathname.replace(/^\/v\d+\.\d+/, '')
  // The Engine's own containers are found by their label.
  const isOwn = /label|until/.test(url.searchParams.get('filters') ?? url.search)
  const line = `${incoming.method} ${url.pathname}`
  const [, answer] = (!isOwn && answers.find(([pattern]) => pattern.test(line))) || []
  if (answer) answer(url, response)
  else forward(incoming, response)
})

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = incoming
  const real = request({ socketPath: realEngine, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders()
    answer.pipe(response)
  })
  real.on('error', () => response.destroy())
  response.once('close', () => real.destroy())
  incoming.pipe(real)
}

server.on('upgrade', ({ method, url, headers }, socket) => {
  const real = connect(realEngine)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  real.write(`${method} ${url} HTTP/1.1\r\n${fields.join('')}\r\n`)
  for (const one of [real, socket]) one.on('error', () => {})
  real.pipe(socket).pipe(real)
})

/** Writes what is due since the last call, whatever the timer's delay was. */
function writer(kind: keyof typeof rates, made: (count: number) => string | Buffer): () => void {
  let due = 0
  let last = performance.now()
  return () => {
    const now = performance.now()
    due += (rates[kind] * (now - last)) / 1000
    last = now
    const count = Math.floor(due)
    if (count === 0) return
    due -= count
    const text = made(count)
    for (const response of followers[kind]) response.write(text)
  }
}

let next = 0
const events = (count: number) =>
  Array.from({ length: count }, () => {
    next = (next + 37) % crowd.length
    const one = crowd[next]
    return one ? `${JSON.stringify(toggleContainer(one))}\n` : ''
  }).join('')
const writers = [writer('events', events), writer('lines', framedLines)]
setInterval(() => {
  for (const write of writers) write()
}, pace)
server.listen(process.env.CROWD_SOCKET)
