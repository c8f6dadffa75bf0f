import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { Step } from '../../../functions/compose/step.ts'
import { conflict, Failure, notFound } from '../../../functions/core/errors.ts'
import { imageMismatch, isImageMismatch } from '../../../functions/core/images/image-mismatch.ts'
import { findImage } from '../images/images.ts'
import { inspectContainer, planReadDeadline } from '../inspect/container.ts'
import { checkedName } from '../names/ids.ts'
import { composeLabels } from '../names/labels.ts'
import { createdContainer } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import { removeContainer } from './removal.ts'

export type CreateStep = Extract<Step, { kind: 'container'; action: 'create' | 'recreate' }>

/**
 * Creates a container of a plan by the name of its image, so that every tool shows that name.
 * Removes it again if the Engine used another image than the planned one. If another manager has
 * created an identical container meanwhile, that one is used.
 *
 * @throws 409 if another container has the name, or the image name now points to another image
 */
export async function createContainer(
  client: EngineClient,
  step: CreateStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const imageId = step.imageId ?? (await imageIdOf(client, step.image, signal))
  const labels = { ...(step.body.Labels as object), [composeLabels.image]: imageId }
  const body = { Image: step.image, ...step.body, Labels: labels }
  try {
    const made = await client.json<{ Id: string; Warnings: string[] | null }>({
      method: 'POST',
      path: '/containers/create',
      query: { name: checkedName('container', step.name), platform: step.platform },
      body,
      signal,
      deadline: 30_000,
      shape: createdContainer,
    })
    await keepIfFrom(client, made.Id, step.image, imageId)
    return { id: made.Id, warnings: made.Warnings ?? [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409 || isImageMismatch(error)) throw error
    const existing = await sameContainer(client, step.name, labels, imageId)
    if (existing) return { id: existing }
    throw conflict(`A container named ${step.name} already exists`, {
      reason: 'exists',
      cause: error,
    })
  }
}

/**
 * Removes the container if it was created from another image than `imageId`. Ignores the caller's
 * abort signal, so that the container is never left behind for a later start.
 */
async function keepIfFrom(client: EngineClient, id: string, reference: string, imageId: string) {
  const remove = () => removeContainer(client, id, { force: true, volumes: true })
  const made = await inspectContainer(client, id).catch(async (error) => {
    await remove()
    throw error
  })
  if (made.Image === imageId) return
  await remove()
  throw imageMismatch(reference, imageId, made.Image)
}

async function imageIdOf(client: EngineClient, reference: string, signal: AbortSignal) {
  const image = await findImage(client, reference, { signal, deadline: planReadDeadline })
  if (!image) throw notFound(`No such image: ${reference}`)
  return image.id
}

async function sameContainer(
  client: EngineClient,
  name: string,
  labels: Record<string, unknown>,
  imageId: string,
) {
  const { Id, Config, Image } = await inspectContainer(client, name)
  if (Image !== imageId) return undefined
  const { project, service, number, configHash, image } = composeLabels
  const compared = [project, service, number, configHash, image]
  return compared.every((label) => labels[label] && labels[label] === Config.Labels?.[label])
    ? Id
    : undefined
}
