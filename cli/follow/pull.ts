import type { Client } from '../api/client.ts'
import type { Image, PullImageBody, PullMessage } from '../api/types.ts'
import { ApiFailure, failed, withHint } from '../failure.ts'
import type { Io } from '../io.ts'
import type { ProgressMode } from '../output/progress.ts'
import { layerProgress } from '../output/pulled-layers.ts'
import { hintOf } from '../reason-hints.ts'
import { parseMessage, withdrawn } from './reconnecting-feed.ts'

/**
 * Pulls an image, shows its layers meanwhile, and returns it. Throws a `CliFailure`
 * if it is not pulled.
 */
export async function pullWithProgress(
  service: Client,
  { image, host }: PullImageBody,
  io: Io,
  mode: ProgressMode,
): Promise<Image> {
  const feed = await service.feed('/ws/images/pull', { query: { image, host } })
  const picture = layerProgress(io, mode)
  try {
    for await (const text of feed.messages) {
      const message = parseMessage(String(text)) as PullMessage
      if ('image' in message) return message.image
      if ('error' in message) throw refusal(message)
      picture.show(message.layers)
    }
    const end = await feed.ended
    if (end.code === 1008) throw withdrawn(end)
    const hint = hintOf(end.reason)
    throw withHint(
      failed(`the image was not pulled: ${end.message || 'the connection was lost'}`),
      hint,
    )
  } finally {
    picture.end()
    feed.close()
  }
}

function refusal({ error, status, reason }: Extract<PullMessage, { error: string }>): ApiFailure {
  const known = reason ?? undefined
  return new ApiFailure(status, error, status === 403 ? 4 : 1, {
    hint: hintOf(known),
    reason: known,
  })
}
