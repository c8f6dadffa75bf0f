import type { StepOutcome } from '../../functions/compose/snapshot.ts'
import type { Step } from '../../functions/compose/step.ts'
import { Failure, internalError } from '../../functions/core/errors.ts'
import type { PullOptions } from '../../functions/core/ports/engine.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { buildImage } from './build/build.ts'
import {
  pauseContainer,
  restartContainer,
  startContainer,
  stopContainer,
} from './containers/actions.ts'
import { createContainer } from './containers/create.ts'
import { removeContainer } from './containers/removal.ts'
import { waitForCondition } from './containers/wait.ts'
import { runCommand } from './exec/exec.ts'
import type { Helpers } from './helper-containers/helper.ts'
import { removeImage } from './images/image-removal.ts'
import { giveName } from './images/images.ts'
import { pullImage } from './images/pull.ts'
import { checkedId, checkedName } from './names/ids.ts'
import { removeNetwork } from './networks-and-volumes/network-removal.ts'
import {
  connectNetwork,
  createNetwork,
  disconnectNetwork,
} from './networks-and-volumes/networks.ts'
import { createVolume, removeVolume } from './networks-and-volumes/volumes.ts'
import type { EngineEvents } from './streams/events.ts'
import type { EngineClient } from './transport/client.ts'
import { patientClient } from './transport/patient-client.ts'

interface ExecuteOptions extends Pick<PullOptions, 'report'> {
  signal: AbortSignal
}

/**
 * Executes one step with exactly one call that changes something. Succeeds if the resource already
 * is as requested.
 */
export async function executeStep(
  client: EngineClient,
  events: EngineEvents,
  helpers: Helpers,
  step: Step,
  { signal, report }: ExecuteOptions,
): Promise<StepOutcome> {
  signal.throwIfAborted()
  switch (step.kind) {
    case 'image':
      if (step.action === 'remove') {
        return done(goneIsDone(removeImage(client, step.name, { force: false })))
      }
      if (step.action === 'build') return buildImage(client, helpers, step, signal)
      if (step.action === 'tag') return giveName(client, step, signal)
      return pullImage(client, step.name, { ...step, signal, report })
    case 'network':
    case 'volume':
    case 'container':
      return patientStep(client, events, step, signal)
    case 'files':
      // The plan does not have the content of the files: the caller that has it calls `writeFiles`.
      throw internalError('The Engine does not execute steps that write files')
  }
}

type PatientStep = Extract<Step, { kind: 'network' | 'volume' | 'container' }>

/** Executes a step, however long a slow host takes for it, and says so. */
async function patientStep(
  client: EngineClient,
  events: EngineEvents,
  step: PatientStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const patient = patientClient(client)
  const outcome = await resourceStep(patient.client, events, step, signal)
  const slow = patient.warnings()
  if (slow.length === 0) return outcome
  return { ...outcome, warnings: [...(outcome.warnings ?? []), ...slow] }
}

function resourceStep(
  client: EngineClient,
  events: EngineEvents,
  step: PatientStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  if (step.kind === 'network') return networkStep(client, step, signal)
  if (step.kind === 'container') return containerStep(client, events, step, signal)
  if (step.action === 'remove') return done(removeVolume(client, step.name, signal))
  return createVolume(client, step.name, step.body, signal)
}

async function networkStep(
  client: EngineClient,
  step: Extract<Step, { kind: 'network' }>,
  signal: AbortSignal,
): Promise<StepOutcome> {
  switch (step.action) {
    case 'create':
      return createNetwork(client, step.name, step.body, signal)
    case 'remove':
      return done(removeNetwork(client, step.id, signal))
    case 'connect':
      return done(connectNetwork(client, step, signal))
    case 'disconnect':
      return done(disconnectNetwork(client, step, signal))
  }
}

async function containerStep(
  client: EngineClient,
  events: EngineEvents,
  step: Extract<Step, { kind: 'container' }>,
  signal: AbortSignal,
): Promise<StepOutcome> {
  switch (step.action) {
    case 'create':
    case 'recreate':
      return createContainer(client, step, signal)
    case 'upload':
      return done(upload(client, step, signal))
    case 'start':
      return done(startContainer(client, step.name, signal))
    case 'pause':
    case 'unpause':
      return done(pauseContainer(client, step.name, step.action, signal))
    case 'wait':
      return { warnings: await waitForCondition(client, events, step, signal) }
    case 'exec':
      return done(runCommand(client, step.name, step.body, signal))
    case 'stop':
      return done(goneIsDone(stopContainer(client, step.name, endOptions(step, signal))))
    case 'restart':
      return done(restartContainer(client, step.name, endOptions(step, signal)))
    case 'remove':
      return done(goneIsDone(removeContainer(client, step.name, { ...step, signal })))
    case 'rename':
      return done(rename(client, step.name, step.to, signal))
  }
}

function endOptions(step: { timeoutSeconds?: number; signal?: string }, signal: AbortSignal) {
  return { timeoutSeconds: step.timeoutSeconds, stopSignal: step.signal, signal }
}

async function upload(
  client: EngineClient,
  step: Extract<Step, { action: 'upload' }>,
  signal: AbortSignal,
): Promise<void> {
  const files = step.files.map((file) => ({
    ...file,
    path: file.path.replace(/^\/+/, ''),
    content: Buffer.from(file.content),
  }))
  await client.json({
    method: 'PUT',
    path: `/containers/${checkedId('container', step.name)}/archive`,
    query: { path: '/' },
    file: await tarOf(files),
    signal,
    deadline: 30_000,
  })
}

async function rename(client: EngineClient, name: string, to: string, signal: AbortSignal) {
  const path = `/containers/${checkedId('container', name)}/rename`
  await client.json({ method: 'POST', path, query: { name: checkedName('container', to) }, signal })
}

async function goneIsDone(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error
  }
}

async function done(work: Promise<void>): Promise<StepOutcome> {
  await work
  return {}
}
