import type Docker from 'dockerode'
import { checkedReference } from '../../../functions/core/images/reference.ts'
import { unlessMissing } from '../responses/errors.ts'
import { imageInspection } from '../responses/response-shapes.ts'
import type { ReadOptions } from '../transport/call.ts'
import type { EngineClient } from '../transport/client.ts'

/** An image as the Engine inspects it. */
export type InspectedImage = Docker.ImageInspectInfo & {
  Metadata?: { LastTagTime?: string }
  Variant?: string
}

/** Returns the Engine's details of a local image by id or name, or undefined. */
export async function inspectImage(
  client: EngineClient,
  reference: string,
  options: ReadOptions = {},
): Promise<InspectedImage | undefined> {
  const path = `/images/${checkedReference(reference)}/json`
  return unlessMissing(client.json({ ...options, method: 'GET', path, shape: imageInspection }))
}
