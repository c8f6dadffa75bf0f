import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A TCP proxy on the loopback interface that can be as bad as a network. What is set acts at once, on open connections too. */
export interface FaultProxy {
  readonly port: number
  /** Connections that are open. */
  readonly size: number
  /** Milliseconds that all bytes take longer, each way. */
  latency(milliseconds: number): void
  /** Bytes a second that pass, each way of each connection. None: as many as do. */
  rate(bytesPerSecond?: number): void
  /** Resets every connection now (RST on both sides). */
  reset(): void
  /** Half-open: nothing passes, nothing ends, and who dials is let in and hears nothing. */
  freeze(): void
  /** Passes on again, first what waited. */
  thaw(): void
  /** Lets that many more bytes pass, both ways together, then resets every connection; resolves then. */
  cutAfter(bytes: number): Promise<void>
  close(): Promise<void>
}

interface Link {
  latency: number
  rate: number
  isFrozen: boolean
  /** Bytes until the cut. */
  left: number
  cut(): void
}

/** Bytes that wait in the proxy, a way: few, so that who sends feels the rate, but what is under way on a long line. */
const heldMax = (link: Link) => (link.latency > 0 ? 64 * 1024 ** 2 : 64 * 1024)
const pieceMax = 4 * 1024

/** Starts a proxy to a port of the loopback interface. It is a perfect network until told otherwise. */
export async function startFaultProxy(to: number): Promise<FaultProxy> {
  const pairs = new Map<Socket, Pair>()
  const cut = () => {
    for (const { reset } of [...pairs.values()]) reset()
  }
  const whole = Number.POSITIVE_INFINITY
  const link: Link = { latency: 0, rate: whole, isFrozen: false, left: whole, cut }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const pair = pairUp(near, to, link)
    pairs.set(near, pair)
    near.once('close', () => pairs.delete(near))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get size() {
      return pairs.size
    },
    latency(milliseconds) {
      link.latency = milliseconds
    },
    rate(bytesPerSecond = whole) {
      link.rate = bytesPerSecond
    },
    reset: cut,
    freeze() {
      link.isFrozen = true
    },
    thaw() {
      link.isFrozen = false
      for (const { goOn } of pairs.values()) goOn()
    },
    cutAfter(bytes) {
      link.left = bytes
      return new Promise((resolve) => {
        link.cut = () => {
          link.left = whole
          link.cut = cut
          cut()
          resolve()
        }
      })
    },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

interface Pair {
  goOn(): void
  reset(): void
}

function pairUp(near: Socket, port: number, link: Link): Pair {
  const far = dial({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const ways = [forward(near, far, link), forward(far, near, link)]
  const reset = () => {
    for (const socket of [near, far]) if (!socket.destroyed) socket.resetAndDestroy()
  }
  // A reset of one side is one of the other, unless nothing passes; the other hears of it when something does.
  const lost = () => link.isFrozen || reset()
  for (const socket of [near, far]) socket.on('error', lost)
  const goOn = () => {
    if (near.destroyed || far.destroyed) reset()
    else for (const pass of ways) pass()
  }
  return { goOn, reset }
}

/** Passes one way. Gives the way to go on after a pause. */
function forward(from: Socket, to: Socket, link: Link): () => void {
  const queue: { chunk: Buffer; due: number }[] = []
  let held = 0
  let free = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const take = (): Buffer => {
    const { chunk } = queue[0]!
    const limited = Number.isFinite(link.rate) ? pieceMax : chunk.length
    const piece = chunk.subarray(0, Math.min(limited, link.left))
    if (piece.length === chunk.length) queue.shift()
    else queue[0]!.chunk = chunk.subarray(piece.length)
    held -= piece.length
    return piece
  }
  const pass = (): void => {
    clearTimeout(timer)
    while (queue.length > 0) {
      if (link.isFrozen || to.destroyed) return
      const now = performance.now()
      const at = Math.max(queue[0]!.due, free)
      if (at > now) {
        timer = setTimeout(pass, at - now)
        return
      }
      const piece = take()
      if (Number.isFinite(link.rate)) free = Math.max(now, free) + (piece.length / link.rate) * 1000
      const hasRoom = to.write(piece)
      link.left -= piece.length
      if (link.left <= 0) link.cut()
      if (held <= heldMax(link)) from.resume()
      if (!hasRoom) {
        to.once('drain', pass)
        return
      }
    }
    if (isOver && !link.isFrozen) to.end()
  }

  from.on('data', (chunk) => {
    queue.push({ chunk, due: performance.now() + link.latency })
    held += chunk.length
    if (held > heldMax(link)) from.pause()
    pass()
  })
  from.on('end', () => {
    isOver = true
    pass()
  })
  to.on('close', () => clearTimeout(timer))
  return pass
}
