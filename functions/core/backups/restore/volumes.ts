import type { EngineBody, StepCall } from '../../../compose/step.ts'
import type { Engine } from '../../ports/engine.ts'
import type { FilePlace } from '../../records/host-engine.ts'

/** Labels of the volumes that a restore creates for itself: the ID of the run and the purpose. */
const ownLabel = 'container-stacks.restore'
const purposeLabel = 'container-stacks.restore.purpose'

/** `staged`: the new content. `before`: the previous content. */
export type Purpose = 'staged' | 'before'

const words = { staged: 'restore', before: 'before' } as const

/** Returns the name of a helper volume for a place: `shop_data_before_1a2b3c4d`. */
export function ownName(place: FilePlace, purpose: Purpose, runId: string): string {
  const base = place.kind === 'volume' ? place.name : `${place.path.split('/').at(-1)}_files`
  return `${base}_${words[purpose]}_${runId.slice(-8)}`
}

/** Creates a helper volume of a run. */
export async function makeOwn(engine: Engine, name: string, purpose: Purpose, runId: string) {
  const Labels = { [ownLabel]: runId, [purposeLabel]: purpose }
  await makeVolume(engine, name, { Name: name, Labels })
}

/** Creates a volume unless it exists. */
export const makeVolume = (engine: Engine, name: string, body: EngineBody) =>
  act(engine, { action: 'create', kind: 'volume', name, body })

/**
 * Removes the volumes of a run: its helper volumes (all or only the staged ones), and the volumes
 * it `made` under their own names.
 */
export async function removeOwn(
  engine: Engine,
  runId: string,
  made: readonly string[],
  which: 'all' | 'staged',
): Promise<void> {
  await engine.removeArchiveHelpers(runId)
  const own = (await engine.volumes()).filter(
    ({ labels }) =>
      labels[ownLabel] === runId && (which === 'all' || labels[purposeLabel] === 'staged'),
  )
  for (const name of [...own.map((volume) => volume.name), ...made]) {
    await act(engine, { action: 'remove', kind: 'volume', name })
  }
}

async function act(engine: Engine, call: StepCall): Promise<void> {
  const step = { index: 0, after: [], reason: 'restore', service: null }
  await engine.execute({ ...step, ...call }, new AbortController().signal)
}
