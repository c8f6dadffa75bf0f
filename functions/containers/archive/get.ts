import { readPart } from '../../core/container-files/read-part.ts'
import { enterAsCaller } from '../../core/owners/enter-as-caller.ts'
import type { EntryPorts } from '../../core/owners/enter-container.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { ContainerPath } from '../schema.ts'
import { ArchivePart, ArchiveQuery, partBytes } from './schema.ts'

export default endpoint({
  summary: 'Read files of a container',
  description:
    'Returns a tar archive of a file or directory in parts of 4 MiB, at most 256 MiB in all. Each part is read from the beginning: for more than a few parts use `/ws/archive/{id}`. The container need not run. Its programs decide ' +
    'what the archive contains: unpack it so that no name, link or device leaves your directory. ' +
    'It needs the same permission as a shell in the container, which can read the same files.',
  access: 'containers:exec',
  atService: true,
  path: ContainerPath,
  query: ArchiveQuery,
  returns: ArchivePart,
  readsSecrets: true,
  noTimeout: true,
  errors: {
    403: 'The container controls its host, as with the Engine’s socket, or has data of others, and you lack the right to it',
    404: 'No container or host has that id, or the container has no such path',
    409: 'It is a part of the service',
  },

  async run({ path, query, caller, signal, note }, ports: EntryPorts & Needs<'engines'>) {
    const container = await enterAsCaller(caller, query.host, path.id, ports)
    const { kind, size, mode, linkTarget } = await container.stat(query.path)
    const entry = { kind, size, mode, link_target: linkTarget }
    const source = query.stat ? noBytes() : container.read(query.path, signal)
    if (!query.stat) note({ secretRead: { path: query.path } })
    const { data, next, digestBefore } = await readPart(source, query.offset, partBytes)
    return {
      ...entry,
      data: data.toString('base64'),
      next_offset: next,
      digest_before: digestBefore,
    }
  },
})

async function* noBytes(): AsyncGenerator<Uint8Array, void, void> {}
