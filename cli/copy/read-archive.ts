import type { Client } from '../api/client.ts'
import { failed, withHint } from '../failure.ts'
import { withdrawn } from '../follow/reconnecting-feed.ts'
import { hintOf } from '../reason-hints.ts'

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
    const end = await feed.ended
    if (end.code === 1008) throw withdrawn(end)
    if (end.code !== 1000) {
      const text = `only a part of ${path} was copied: ${end.message || 'the connection was lost'}`
      throw withHint(failed(text), hintOf(end.reason))
    }
  } finally {
    feed.close()
  }
}
