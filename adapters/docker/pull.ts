import type { StepOutcome } from '../../functions/core/engine/engine.ts'
import { broken, Failure } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { planReadDeadline } from './containers.ts'
import { ForeignAnswer, foreign, streamFailure } from './errors.ts'
import { findImage } from './images.ts'
import { jsonLines } from './json-lines.ts'
import { parseReference } from './reference.ts'
import { pullAuth } from './registry-auth.ts'

/**
 * Pulls an image and returns its id. There is no timeout. The Engine responds with 200 before it
 * knows whether the pull succeeds, so errors are in the stream; the registry's message is never
 * shown. `stamp` tags the image again, because the Engine records the time of a tag but not of a
 * pull.
 *
 * @throws 500 if the pull fails
 */
export async function pullImage(
  client: EngineClient,
  reference: string,
  options: { platform?: string; stamp?: boolean; signal?: AbortSignal } = {},
): Promise<StepOutcome> {
  const { repository, tag } = parseReference(reference)
  let digest: string | undefined
  try {
    const response = await client.stream({
      method: 'POST',
      path: '/images/create',
      query: { fromImage: repository, tag, platform: options.platform },
      auth: { pull: await pullAuth(reference, client.registries) },
      signal: options.signal,
      deadline: null,
    })
    for await (const line of jsonLines(response)) {
      const error = line.errorDetail?.message ?? line.error
      if (error) throw streamFailure(String(error), unknownRefusal)
      digest ??= /^Digest: (sha256:[0-9a-f]{64})$/.exec(String(line.status ?? ''))?.[1]
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof Failure)
      throw new Failure(error.status, said(reference, error), { cause: error })
    if (error instanceof ForeignAnswer)
      throw foreign(error, { host: client.host, step: `pull ${reference}` })
    throw broken(`Pulling ${reference} on host ${client.host} was cut off`, { cause: error })
  }
  // By digest, because the name may point to another image by now.
  const pulled = digest === undefined ? reference : `${repository}@${digest}`
  const image = await findImage(client, pulled, {
    signal: options.signal,
    deadline: planReadDeadline,
  })
  if (!image) throw broken(`Pulling ${reference} brought no such image to host ${client.host}`)
  if (options.stamp && !tag.includes(':')) {
    const query = { repo: repository, tag }
    await client.json({ method: 'POST', path: `/images/${image.id}/tag`, query })
  }
  return { id: image.id }
}

/** The message for a pull error that `plainWords` does not know. */
const unknownRefusal =
  'the pull failed for a reason that the service does not recognise; see the service log'

const said = (reference: string, error: Failure) => `Pulling ${reference} failed: ${error.message}`
