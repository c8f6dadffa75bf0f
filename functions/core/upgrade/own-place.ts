import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { findContainer } from '../hosts/find-container.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'

/** The container that this process of the service runs in. */
export interface OwnContainer {
  engine: Engine
  hostId: string
  id: string
  name: string
  /** The reference that it was created with. */
  image: string
  imageId: string
  /** What is mounted at the data directory. */
  data: DataMount | undefined
  /** How docker compose finds it; undefined if it was started without. */
  compose: { project: string; directory: string | undefined } | undefined
}

export interface DataMount {
  kind: 'volume' | 'directory'
  /** The name of the volume, or the path on the host. */
  source: string
}

export type OwnPlace =
  | { kind: 'container'; container: OwnContainer }
  /** No container: a package or a clone. */
  | { kind: 'elsewhere' }
  /** A container that the Engine of the host `local` does not show. */
  | { kind: 'unknown' }

/** Returns where this process of the service runs. */
export async function ownPlace(
  ports: Needs<'engines' | 'hosts' | 'ownProcess'>,
): Promise<OwnPlace> {
  const { container: id, dataDirectory } = ports.ownProcess.place
  if (id === 'none') return { kind: 'elsewhere' }
  const local = await localHost(ports)
  if (id === 'unknown' || !local) return { kind: 'unknown' }
  const engine = await ports.engines.on(local.id)
  const found = await findContainer(id, engine)
  if (!found) return { kind: 'unknown' }
  const { name, image, imageId, labels } = found
  const project = ownEntry(labels, label.project)
  return {
    kind: 'container',
    container: {
      engine,
      hostId: local.id,
      id,
      name,
      image,
      imageId,
      data: await dataMount(engine, id, dataDirectory),
      compose:
        project === undefined
          ? undefined
          : { project, directory: ownEntry(labels, label.workingDir) },
    },
  }
}

/** Returns the host whose Engine is on the machine of the service. */
export const localHost = async ({ hosts }: Needs<'hosts'>) =>
  (await hosts.list()).find(({ kind }) => kind === 'local')

async function dataMount(
  engine: Engine,
  id: string,
  dataDirectory: string,
): Promise<DataMount | undefined> {
  const { mounts } = await engine.access(id)
  const mount = mounts.find(({ destination }) => destination === dataDirectory)
  if (!mount || mount.type === 'tmpfs') return undefined
  return mount.type === 'volume'
    ? { kind: 'volume', source: mount.name }
    : { kind: 'directory', source: mount.source }
}
