import type { EngineBody, StepCall } from '../../../compose/step.ts'
import type { Engine } from '../../ports/engine.ts'
import type { FilePlace } from '../../records/host-engine.ts'

/** Labels of the helper volumes of a restore: the ID of the run and the purpose. */
const runLabel = 'container-stacks.restore'
const purposeLabel = 'container-stacks.restore.purpose'

/** `staged`: the new content. `before`: the previous content. */
export type Purpose = 'staged' | 'before'

const suffixes = { staged: 'restore', before: 'before' } as const

/** Returns the name of a helper volume for a place: `shop_data_before_1a2b3c4d`. */
export function helperVolumeName(place: FilePlace, purpose: Purpose, runId: string): string {
  const base = place.kind === 'volume' ? place.name : `${place.path.split('/').at(-1)}_files`
  return `${base}_${suffixes[purpose]}_${runId.slice(-8)}`
}

/** Creates a helper volume of a run. */
export async function createHelperVolume(
  engine: Engine,
  name: string,
  purpose: Purpose,
  runId: string,
) {
  const Labels = { [runLabel]: runId, [purposeLabel]: purpose }
  await createVolume(engine, name, { Name: name, Labels })
}

/** Creates a volume unless it exists. */
export const createVolume = (engine: Engine, name: string, body: EngineBody) =>
  execute(engine, { action: 'create', kind: 'volume', name, body })

/**
 * Removes volumes of a run: its helper volumes (all, or only the staged ones), and the volumes that
 * it `made` under their own names.
 */
export async function removeRunVolumes(
  engine: Engine,
  runId: string,
  made: readonly string[],
  which: 'all' | 'staged',
): Promise<void> {
  await engine.removeArchiveHelpers(runId)
  const helpers = (await engine.volumes()).filter(
    ({ labels }) =>
      labels[runLabel] === runId && (which === 'all' || labels[purposeLabel] === 'staged'),
  )
  for (const name of [...helpers.map((volume) => volume.name), ...made]) {
    await execute(engine, { action: 'remove', kind: 'volume', name })
  }
}

async function execute(engine: Engine, call: StepCall): Promise<void> {
  const step = { index: 0, after: [], reason: 'restore', service: null }
  await engine.execute({ ...step, ...call }, new AbortController().signal)
}
