import type { Client } from '../api/client.ts'
import { CliFailure, failed } from '../failure.ts'

/** A path in a container of a host. */
export interface ContainerPlace {
  id: string
  host: string | undefined
  /** Absolute. */
  path: string
}

/**
 * Yields the tar archive of a path in a container as it arrives. Throws a `CliFailure` if it does
 * not arrive as a whole.
 */
export async function* readArchive(
  api: Client,
  { id, host, path }: ContainerPlace,
): AsyncGenerator<Buffer> {
  const feed = await api.feed('/ws/archive/{id}', { path: { id }, query: { host, path } })
  try {
    for await (const message of feed.messages) yield Buffer.from(message)
    const { code, reason } = await feed.ended
    if (code === 1008) throw new CliFailure(4, reason || 'the feed was closed')
    if (code !== 1000) {
      throw failed(`only a part of ${path} was copied: ${reason || 'the connection was lost'}`)
    }
  } finally {
    feed.close()
  }
}
