import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { present } from '../../adapters/testing/present.ts'

/**
 * A TCP proxy on the loopback interface that simulates a bad network. Settings apply at once, also
 * to open connections.
 */
export interface FaultProxy {
  readonly port: number
  /** Number of open connections. */
  readonly size: number
  /** Bytes received from clients. */
  readonly sent: number
  /** Delays all data in each direction by this many milliseconds. */
  latency(milliseconds: number): void
  /**
   * Limits the bytes per second in each direction of each connection. Unlimited without an
   * argument.
   */
  rate(bytesPerSecond?: number): void
  /** Resets every connection now (RST on both sides). */
  reset(): void
  /** Resets every connection, and each new one. */
  refuse(): void
  /**
   * Simulates half-open connections: no data passes, nothing closes, and new connections are
   * accepted without a response.
   */
  freeze(): void
  /** Resumes forwarding, beginning with the queued data. */
  thaw(): void
  /**
   * Forwards this many more bytes, both directions together, then resets every connection and
   * resolves.
   */
  cutAfter(bytes: number): Promise<void>
  /** Forwards this many more bytes, both directions together, then freezes. */
  freezeAfter(bytes: number): void
  /** Removes all faults. */
  mend(): void
  close(): Promise<void>
}

interface Link {
  latency: number
  rate: number
  isFrozen: boolean
  isRefusing: boolean
  sent: number
  /** Bytes left until `spent` is called. */
  left: number
  spent(): void
}

const perfect: Omit<Link, 'sent'> = {
  latency: 0,
  isFrozen: false,
  isRefusing: false,
  rate: Number.POSITIVE_INFINITY,
  left: Number.POSITIVE_INFINITY,
  spent() {},
}

/**
 * Limit of the bytes queued in each direction. Low, so that the sender notices the rate. With
 * latency it is high enough for the data in flight.
 */
const heldMax = (link: Link) => (link.latency > 0 ? 64 * 1024 ** 2 : 64 * 1024)
const pieceMax = 4 * 1024

/** Starts a proxy to a port of the loopback interface. It has no faults at first. */
export async function startFaultProxy(to: number): Promise<FaultProxy> {
  const pairs = new Map<Socket, Pair>()
  const reset = () => {
    for (const pair of [...pairs.values()]) pair.reset()
  }
  const link: Link = { ...perfect, sent: 0 }
  const after = (bytes: number, act: () => void) => {
    link.left = bytes
    link.spent = () => {
      link.left = perfect.left
      act()
    }
    if (bytes === 0) link.spent()
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    if (link.isRefusing) return near.resetAndDestroy()
    const pair = pairUp(near, to, link)
    pairs.set(near, pair)
    near.once('close', () => pairs.delete(near))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const freeze = () => {
    link.isFrozen = true
  }
  const thaw = () => {
    link.isFrozen = false
    for (const { goOn } of pairs.values()) goOn()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get size() {
      return pairs.size
    },
    get sent() {
      return link.sent
    },
    latency(milliseconds) {
      link.latency = milliseconds
    },
    rate(bytesPerSecond = perfect.rate) {
      link.rate = bytesPerSecond
    },
    reset,
    refuse() {
      link.isRefusing = true
      reset()
    },
    freeze,
    thaw,
    cutAfter(bytes) {
      return new Promise((resolve) => {
        after(bytes, () => {
          reset()
          resolve()
        })
      })
    },
    freezeAfter: (bytes) => after(bytes, freeze),
    mend() {
      Object.assign(link, perfect)
      thaw()
    },
    async close() {
      server.close()
      reset()
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
  near.on('data', (chunk) => {
    link.sent += chunk.length
  })
  const reset = () => {
    for (const socket of [near, far]) if (!socket.destroyed) socket.resetAndDestroy()
  }
  // A reset of one side resets the other. While frozen the other side learns of it only after the
  // thaw.
  const lost = () => link.isFrozen || reset()
  for (const socket of [near, far]) socket.on('error', lost)
  const goOn = () => {
    if (near.destroyed || far.destroyed) reset()
    else for (const pass of ways) pass()
  }
  return { goOn, reset }
}

/** Forwards one direction. Returns a function that resumes it after a pause. */
function forward(from: Socket, to: Socket, link: Link): () => void {
  const queue: { chunk: Buffer; due: number }[] = []
  let held = 0
  let free = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let isFull = false

  const take = (): Buffer => {
    const { chunk } = present(queue[0])
    const limited = Number.isFinite(link.rate) ? pieceMax : chunk.length
    const piece = chunk.subarray(0, Math.min(limited, link.left))
    if (piece.length === chunk.length) queue.shift()
    else present(queue[0]).chunk = chunk.subarray(piece.length)
    held -= piece.length
    return piece
  }
  const pass = (): void => {
    clearTimeout(timer)
    while (queue.length > 0) {
      if (link.isFrozen || isFull || to.destroyed) return
      const now = performance.now()
      const at = Math.max(present(queue[0]).due, free)
      if (at > now) {
        timer = setTimeout(pass, at - now)
        return
      }
      const piece = take()
      if (Number.isFinite(link.rate)) free = Math.max(now, free) + (piece.length / link.rate) * 1000
      const hasRoom = to.write(piece)
      link.left -= piece.length
      if (link.left <= 0) link.spent()
      if (held <= heldMax(link)) from.resume()
      if (!hasRoom) {
        isFull = true
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
  to.on('drain', () => {
    isFull = false
    pass()
  })
  to.on('close', () => clearTimeout(timer))
  return pass
}
