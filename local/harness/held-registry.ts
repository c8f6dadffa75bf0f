import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from './registry.ts'

/** A registry whose layers arrive up to their half until `release` is called. */
export interface HeldRegistry {
  /** `127.0.0.1:port`, the first part of its image references. */
  address: string
  /** Resolves when the half of a layer has been sent. */
  half: Promise<void>
  release(): void
  close(): void
}

/** Blobs that are shorter are configurations of images. */
const layerMin = 100_000

/** Puts itself before a registry, and holds its layers back. */
export async function holdLayers(registry: Pick<Registry, 'address'>): Promise<HeldRegistry> {
  let reached = () => {}
  const half = new Promise<void>((resolve) => {
    reached = resolve
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = createServer((request, response) => {
    const { accept = '*/*' } = request.headers
    const pass = async () => {
      const answer = await fetch(`http://${registry.address}${request.url}`, {
        ...(request.method && { method: request.method }),
        headers: { accept },
      })
      const body = Buffer.from(await answer.arrayBuffer())
      const { 'transfer-encoding': _, ...headers } = Object.fromEntries(answer.headers)
      response.writeHead(answer.status, headers)
      const held = body.length > layerMin ? body.length / 2 : 0
      response.write(body.subarray(0, held))
      if (held > 0) {
        reached()
        await released
      }
      response.end(body.subarray(held))
    }
    pass().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    half,
    release: () => release(),
    close() {
      release()
      server.closeAllConnections()
      server.close()
    },
  }
}
