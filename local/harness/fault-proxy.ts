import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A TCP proxy on the loopback interface that can be as bad as a network. What is set acts at once, on open connections too. */
export interface FaultProxy {
  readonly port: number
  /** Connections that are open. */
  readonly size: number
  /** Bytes that came from who dials. */
  readonly sent: number
  /** Milliseconds that all bytes take longer, each way. */
  latency(milliseconds: number): void
  /** Bytes a second that pass, each way of each connection. None: as many as do. */
  rate(bytesPerSecond?: number): void
  /** Resets every connection now (RST on both sides). */
  reset(): void
  /** The same, and each that comes. */
  refuse(): void
  /** Half-open: nothing passes, nothing ends, and who dials is let in and hears nothing. */
  freeze(): void
  /** Passes on again, first what waited. */
  thaw(): void
  /** Lets that many more bytes pass, both ways together, then resets every connection; resolves then. */
  cutAfter(bytes: number): Promise<void>
  /** Lets that many more bytes pass, both ways together, then freezes. */
  freezeAfter(bytes: number): void
  /** A perfect network again. */
  mend(): void
  close(): Promise<void>
}

interface Link {
  latency: number
  rate: number
  isFrozen: boolean
  isRefusing: boolean
  sent: number
  /** Bytes until something is done. */
  left: number
  spent(): void
}

const perfect: Omit<Link, 'sent'> = {
  ...{ latency: 0, isFrozen: false, isRefusing: false },
  ...{ rate: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY },
  spent() {},
}

/** Bytes that wait in the proxy, a way: few, so that who sends feels the rate, but what is under way on a long line. */
const heldMax = (link: Link) => (link.latency > 0 ? 64 * 1024 ** 2 : 64 * 1024)
const pieceMax = 4 * 1024

/** Starts a proxy to a port of the loopback interface. It is a perfect network until told otherwise. */
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
  let isFull = false

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
      if (link.isFrozen || isFull || to.destroyed) return
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
