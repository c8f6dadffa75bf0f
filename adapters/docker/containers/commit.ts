import type { CommitOptions } from '../../../functions/core/ports/engine.ts'
import { checkedId } from '../names/ids.ts'
import { createdImage } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** Commits a container to an image without a name. Returns the image's ID. Has no timeout. */
export async function commitContainer(
  client: EngineClient,
  id: string,
  { author, message, changes, pause }: CommitOptions,
  signal: AbortSignal,
): Promise<string> {
  const query = { container: checkedId('container', id), author, comment: message, changes, pause }
  const call = { method: 'POST', path: '/commit', query, deadline: null, signal } as const
  const { Id } = await client.json<{ Id: string }>({ ...call, shape: createdImage })
  return Id
}
