import type { Step } from '../../functions/core/compose/step.ts'
import type { StepOutcome } from '../../functions/core/engine/engine.ts'
import { isOtherImage, otherImage } from '../../functions/core/engine/other-image.ts'
import { conflict, Failure, notFound } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer, planReadDeadline } from './containers.ts'
import { checkedName } from './ids.ts'
import { findImage } from './images.ts'
import { composeLabels } from './labels.ts'
import { removeContainer } from './removal.ts'

export type CreateStep = Extract<Step, { kind: 'container'; action: 'create' | 'recreate' }>

/**
 * Creates a container of a plan by the name of its image, so that every tool shows that name, and
 * checks that it was made from the image that was decided on: a container that was made from another
 * one is removed again. The same container, made by another manager meanwhile, is as good.
 *
 * @throws 409 for another container of that name, and for a name that stands for another image
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
    })
    await keepIfFrom(client, made.Id, step.image, imageId)
    return { id: made.Id, warnings: made.Warnings ?? [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409 || isOtherImage(error)) throw error
    const existing = await sameContainer(client, step.name, labels, imageId)
    if (existing) return { id: existing }
    throw conflict(`A container named ${step.name} exists already`, { cause: error })
  }
}

/**
 * Removes a container that was never started and was made from another image than this. The caller's
 * signal does not keep it from that: the container must not be left for a later start.
 */
async function keepIfFrom(client: EngineClient, id: string, reference: string, imageId: string) {
  const remove = () => removeContainer(client, id, { force: true, volumes: true })
  const made = await inspectContainer(client, id).catch(async (error) => {
    await remove()
    throw error
  })
  if (made.Image === imageId) return
  await remove()
  throw otherImage(reference, imageId, made.Image)
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
