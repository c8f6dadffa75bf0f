import { enterAsCaller, entererOf } from '../core/owners/enter-as-caller.ts'
import type { EntryPorts } from '../core/owners/enter-container.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { ArchiveQuery, ContainerPath } from './schema.ts'

export default feed({
  summary: 'Read files of a container as one archive',
  description:
    'Sends a tar archive of a file or directory in binary messages, and ends with close code 1000 after its last byte; with any other code the archive is incomplete. The container need not run. Its programs decide ' +
    'what the archive contains: unpack it so that no name, link or device leaves your directory. ' +
    'It needs the same permission as a shell in the container, which can read the same files.',
  access: 'containers:exec',
  path: ContainerPath,
  query: ArchiveQuery,
  readsSecrets: true,
  errors: {
    403: 'The container controls its host, as with the Engine’s socket, or has data of others, and you lack the right to it',
    404: 'No container or host has that id, or the container has no such path',
    409: 'It is a part of the service',
  },

  async *run({ path, query, caller, signal, note, needs }, ports: EntryPorts & Needs<'engines'>) {
    const container = await enterAsCaller(caller, query.host, path.id, ports)
    needs((now) => container.check(entererOf(now, ports)))
    note({ secretRead: { path: query.path } })
    yield* container.read(query.path, signal)
  },
})
