import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A line to a server of this machine that can be made worse than it is. */
export interface FaultyLine {
  port: number
  /** Bytes that went to the server so far. */
  sent(): number
  /** Once so many more bytes went to the server: nothing goes either way any more, and nobody is told. */
  hangAfter(bytes: number): void
  /** Once so many more bytes went to the server: connections end at once, and no new one is taken. */
  cutAfter(bytes: number): void
  /** All connections end at once. */
  cutAll(): void
  /** Bytes a second to the server. */
  slow(bytesPerSecond: number): void
  /** As it was at first, for new connections. */
  mend(): void
  close(): Promise<void>
}

/** A line to a port of the loopback interface. */
export async function faultyLine(target: number): Promise<FaultyLine> {
  const sockets = new Set<Socket>()
  let sent = 0
  let fault: { kind: 'hang' | 'cut'; at: number } | undefined
  let rate = Number.POSITIVE_INFINITY

  const broken = (kind: 'hang' | 'cut') => fault?.kind === kind && sent >= fault.at
  const server = createServer((near) => {
    if (broken('cut')) return near.destroy()
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
    }
    near.on('data', (chunk) => {
      sent += chunk.length
      if (broken('cut')) {
        for (const socket of sockets) socket.resetAndDestroy()
        return
      }
      if (broken('hang')) return
      near.pause()
      const wait = Number.isFinite(rate) ? (chunk.length / rate) * 1_000 : 0
      const pass = () => far.write(chunk, () => near.resume())
      if (wait > 0) setTimeout(pass, wait)
      else pass()
    })
    far.on('data', (chunk) => {
      if (!broken('hang')) near.write(chunk)
    })
    near.once('close', () => far.destroy())
    far.once('close', () => {
      if (!broken('hang')) near.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const line: FaultyLine = {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    hangAfter(bytes) {
      fault = { kind: 'hang', at: sent + bytes }
    },
    cutAfter(bytes) {
      fault = { kind: 'cut', at: sent + bytes }
      if (bytes === 0) line.cutAll()
    },
    cutAll() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    slow(bytesPerSecond) {
      rate = bytesPerSecond
    },
    mend() {
      fault = undefined
      rate = Number.POSITIVE_INFINITY
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return line
}

/** So many megabytes, one at a time. */
export async function* megabytes(count: number, given: (bytes: number) => void = () => {}) {
  for (let piece = 0; piece < count; piece++) {
    given(1_000_000)
    yield randomBytes(1_000_000)
  }
}

/** How many bytes a source of so many megabytes was at most ahead of what went over a line. */
export async function mostAhead(
  line: FaultyLine,
  count: number,
  put: (content: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<number> {
  const before = line.sent()
  let given = 0
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, given - (line.sent() - before))
  }, 10)
  try {
    await put(megabytes(count, (bytes) => (given += bytes)))
  } finally {
    clearInterval(watch)
  }
  return most
}
