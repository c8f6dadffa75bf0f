import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import { Failure, internalError } from '../../../functions/core/errors.ts'
import { parseReference } from '../../../functions/core/images/reference.ts'
import type { PullOptions } from '../../../functions/core/ports/engine.ts'
import { refuseRegistry } from '../../../functions/core/registries/allowed.ts'
import { planReadDeadline } from '../inspect/container.ts'
import { ForeignResponse, foreign, streamFailure } from '../responses/errors.ts'
import { jsonLines, type ProgressLine } from '../responses/json-lines.ts'
import type { EngineClient } from '../transport/client.ts'
import { findImage } from './images.ts'
import { layerReporter } from './pulled-layer.ts'
import { pullAuth } from './registry-auth.ts'

interface Options extends PullOptions {
  platform?: string
  stamp?: boolean
  signal?: AbortSignal
}

/**
 * Pulls an image and returns its id. Has no timeout. The Engine responds with 200 before it knows
 * whether the pull succeeds, so errors are in the stream. The registry's message is never shown.
 * `stamp` tags the image again, because the Engine records the time of a tag but not of a pull.
 *
 * @throws 403 if `registries` does not allow the registry. 500 if the pull fails after it started;
 *   an earlier refusal keeps the Engine's status
 */
export async function pullImage(
  client: EngineClient,
  reference: string,
  options: Options = {},
): Promise<StepOutcome> {
  const { repository, tag } = parseReference(reference)
  // The final check, on exactly the text that the Engine reads.
  if (options.registries)
    refuseRegistry(`${repository}:${tag}`, options.registries, `image ${reference}`)
  const report = options.report && layerReporter(options.report)
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
    for await (const line of jsonLines<ProgressLine>(response)) {
      const error = line.errorDetail?.message ?? line.error
      if (error) throw streamFailure(String(error), unknownRefusal)
      report?.(line)
      digest ??= digestIn(line)
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof Failure)
      throw new Failure(error.status, pullMessage(reference, error), { cause: error })
    if (error instanceof ForeignResponse)
      throw foreign(error, { host: client.host, step: `pull ${reference}` })
    throw internalError(`Pulling ${reference} on host ${client.host} was interrupted`, {
      reason: 'engine-failed',
      cause: error,
    })
  }
  // By digest, because the name may point to another image by now.
  const pulled = digest === undefined ? reference : `${repository}@${digest}`
  const image = await findImage(client, pulled, {
    signal: options.signal,
    deadline: planReadDeadline,
  })
  if (!image)
    throw internalError(`Pulled ${reference}, but the image is not on host ${client.host}`, {
      reason: 'engine-failed',
    })
  if (options.stamp && !tag.includes(':')) {
    const query = { repo: repository, tag }
    await client.json({ method: 'POST', path: `/images/${image.id}/tag`, query })
  }
  return { id: image.id }
}

function digestIn({ status }: ProgressLine): string | undefined {
  return typeof status === 'string'
    ? /^Digest: (sha256:[0-9a-f]{64})$/.exec(status)?.[1]
    : undefined
}

/** The message for a pull error that `knownMessage` does not recognise. */
const unknownRefusal =
  'the pull failed for a reason that the service does not recognise; see the service log'

const pullMessage = (reference: string, error: Failure) =>
  `Pulling ${reference} failed: ${error.message}`
