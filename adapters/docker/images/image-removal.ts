import { notFound } from '../../../functions/core/errors.ts'
import { checkedReference } from '../../../functions/core/images/reference.ts'
import { inspectImage } from '../inspect/image.ts'
import { helperImage } from '../names/labels.ts'
import type { EngineClient } from '../transport/client.ts'

/**
 * Removes an image, or one of its names, as `docker rmi` does.
 *
 * @throws 404 if there is no such image, or it is the helper image of this adapter
 * @throws 409 if it is in use
 */
export async function removeImage(
  client: EngineClient,
  id: string,
  { force }: { force: boolean },
): Promise<void> {
  const image = await inspectImage(client, id)
  if (!image || image.RepoTags?.includes(helperImage)) throw notFound(`No such image: ${id}`)
  await client.json({
    method: 'DELETE',
    path: `/images/${checkedReference(id)}`,
    query: { force },
    deadline: 60_000,
  })
}
