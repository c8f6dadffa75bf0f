import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline, Transform } from 'node:stream'

/** A proxy to this machine's Docker Engine that a test controls. */
export interface DockerGate {
  transport: { socketPath: string }
  /** The format of `DOCKER_HOST`. */
  address: string
  /** From now on accepts connections and data but sends nothing, like an Engine that hangs. */
  hang(): void
  /** Hangs from the next request on whose first line matches, which the Engine does not get. */
  hangAt(line: RegExp): Promise<void>
  /** Forwards again, on new connections. */
  release(): void
  close(): Promise<void>
}

/**
 * Starts a proxy to the Engine of this machine.
 *
 * @param label `key=value`: limits every prune to objects with this label, because the machine's
 * other images do not belong to the test
 */
export async function dockerGate({ label }: { label?: string } = {}): Promise<DockerGate> {
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  let hangs = false
  let isWanted: ((chunk: Buffer) => boolean) | undefined
  const held = (chunk: Buffer) => {
    hangs ||= isWanted?.(chunk) ?? false
    return hangs
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket)
    if (hangs) return void socket.resume()
    const docker = connect({ path: '/var/run/docker.sock', allowHalfOpen: true })
    keep(docker)
    pipeline(socket, filter(label, held), docker, () => {})
    pipeline(
      docker,
      filter(undefined, () => hangs),
      socket,
      () => {},
    )
  })
  const directory = await mkdtemp('/tmp/docker-gate-')
  // A Unix socket like Docker's own: TCP sockets of the loopback interface would buffer megabytes.
  const socketPath = join(directory, 'docker.sock')
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return {
    transport: { socketPath },
    address: `unix://${socketPath}`,
    hang() {
      hangs = true
    },
    hangAt(line) {
      return new Promise((resolve) => {
        isWanted = (chunk) => {
          const [first = ''] = chunk.toString('latin1').split('\r\n', 1)
          if (!line.test(first)) return false
          resolve()
          return true
        }
      })
    },
    release() {
      isWanted = undefined
      hangs = false
      for (const socket of open) socket.destroy()
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await rm(directory, { recursive: true })
    },
  }
}

/** Forwards data, or discards it while the gate hangs. */
function filter(label: string | undefined, held: (chunk: Buffer) => boolean): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held(chunk)) return done()
      done(null, label === undefined ? chunk : narrowed(chunk, label))
    },
  })
}

/** A prune, and the list of what a prune of images removes. */
const prune = /^((?:POST \S*\/prune|GET \S*\/images\/json)\?filters=)(\S+)/

function narrowed(chunk: Buffer, label: string): Buffer {
  const text = chunk.toString('latin1')
  const [, head, given] = prune.exec(text) ?? []
  if (!head || !given) return chunk
  const filters = { ...JSON.parse(decodeURIComponent(given)), label: [label] }
  const wanted = encodeURIComponent(JSON.stringify(filters))
  return Buffer.from(text.replace(prune, `${head}${wanted}`), 'latin1')
}
