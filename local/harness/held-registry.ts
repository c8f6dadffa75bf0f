import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from './registry.ts'

/** A registry whose layers are not complete until `release` is called. */
export interface HeldRegistry {
  /** `127.0.0.1:port`, the first part of its image references. */
  address: string
  release(): void
  close(): void
}

/** Blobs that are shorter are configurations of images. */
const layerMin = 100_000

/** Bytes that follow the first half of a layer now and then, so that its progress is told again. */
const pieceSize = 50_000

/** Puts itself before a registry, and holds back the last tenth of its layers. */
export async function holdLayers(registry: Pick<Registry, 'address'>): Promise<HeldRegistry> {
  let release = () => {}
  let isReleased = false
  const released = new Promise<void>((resolve) => {
    release = () => {
      isReleased = true
      resolve()
    }
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
      if (body.length < layerMin) return void response.end(body)
      let sent = Math.floor(body.length / 2)
      response.write(body.subarray(0, sent))
      for (; sent + pieceSize < 0.9 * body.length; sent += pieceSize) {
        await pause(200)
        if (isReleased || response.destroyed) break
        response.write(body.subarray(sent, sent + pieceSize))
      }
      await released
      response.end(body.subarray(sent))
    }
    pass().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `127.0.0.1:${port}`,
    release: () => release(),
    close() {
      release()
      server.closeAllConnections()
      server.close()
    },
  }
}
