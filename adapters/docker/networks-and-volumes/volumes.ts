import type Docker from 'dockerode'
import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { EngineBody } from '../../../functions/compose/step.ts'
import { Failure } from '../../../functions/core/errors.ts'
import type { VolumeSummary } from '../../../functions/core/records/host-engine.ts'
import { checkedId, checkedName } from '../names/ids.ts'
import { composeLabels, stackOf } from '../names/labels.ts'
import { createdVolume, volumeList } from '../responses/response-shapes.ts'
import { parsedAs } from '../responses/shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** Returns the Engine's list of volumes as text, narrowed by the filters. */
export function listVolumes(client: EngineClient, filters?: Record<string, string[]>) {
  return client.text({ method: 'GET', path: '/volumes', query: { filters } })
}

/** Returns the volumes in the Engine's list, sorted by name. */
export function volumeSummaries(text: string): VolumeSummary[] {
  const { Volumes } = parsedAs<{ Volumes: Docker.VolumeInspectInfo[] | null }>(text, volumeList)
  return (Volumes ?? [])
    .map((volume) => ({
      name: volume.Name,
      driver: volume.Driver,
      mountpoint: volume.Mountpoint,
      createdAt: (volume as { CreatedAt?: string }).CreatedAt ?? null,
      labels: volume.Labels ?? {},
      options: volume.Options ?? {},
      stack: stackOf(volume.Labels ?? null),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/**
 * Creates a volume. If one of that name exists, the Engine returns it; if it belongs to another
 * project or to none, the result has its labels and a warning.
 */
export async function createVolume(
  client: EngineClient,
  name: string,
  body: EngineBody,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const made = await client.json<Docker.VolumeInspectInfo>({
    method: 'POST',
    path: '/volumes/create',
    body: { ...body, Name: checkedName('volume', name) },
    signal,
    deadline: 30_000,
    shape: createdVolume,
  })
  const wanted = (body.Labels as Record<string, string> | undefined)?.[composeLabels.project]
  const found = stackOf(made.Labels ?? null)
  if (wanted === undefined || wanted === found) return { warnings: [] }
  const warning = `The volume ${name} already exists and ${owner(found)}; it is used as it is`
  return { existing: made.Labels ?? {}, warnings: [warning] }
}

/**
 * Removes a volume, and does nothing if it is gone.
 *
 * @throws 409 while a container uses it
 */
export async function removeVolume(
  client: EngineClient,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const path = `/volumes/${checkedId('volume', name)}`
    await client.json({ method: 'DELETE', path, signal, deadline: 60_000 })
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error
  }
}

const owner = (project: string | null) =>
  project === null ? 'belongs to no project' : `belongs to the project ${project}`
