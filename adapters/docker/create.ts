import type { Step } from '../../functions/core/compose/step.ts'
import type { StepOutcome } from '../../functions/core/engine/engine.ts'
import { conflict, Failure, notFound } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer, planReadDeadline } from './containers.ts'
import { checkedName } from './ids.ts'
import { findImage } from './images.ts'
import { composeLabels } from './labels.ts'

export type CreateStep = Extract<Step, { kind: 'container'; action: 'create' | 'recreate' }>

/**
 * Creates a container of a plan, with the id that its image has now as a label. The same container, made by another manager
 * meanwhile, is as good; any other of that name is a `Failure` 409.
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
    return { id: made.Id, warnings: made.Warnings ?? [] }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409) throw error
    const existing = await sameContainer(client, step.name, labels)
    if (existing) return { id: existing }
    throw conflict(`A container named ${step.name} exists already`, { cause: error })
  }
}

async function imageIdOf(client: EngineClient, reference: string, signal: AbortSignal) {
  const image = await findImage(client, reference, { signal, deadline: planReadDeadline })
  if (!image) throw notFound(`No such image: ${reference}`)
  return image.id
}

async function sameContainer(client: EngineClient, name: string, labels: Record<string, unknown>) {
  const { Id, Config } = await inspectContainer(client, name)
  const { project, service, number, configHash, image } = composeLabels
  const compared = [project, service, number, configHash, image]
  return compared.every((label) => labels[label] && labels[label] === Config.Labels?.[label])
    ? Id
    : undefined
}
