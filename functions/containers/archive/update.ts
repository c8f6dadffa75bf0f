import { checkArchive } from '../../core/container-files/check-archive.ts'
import { invalid } from '../../core/errors.ts'
import { enterAsCaller } from '../../core/owners/enter-as-caller.ts'
import type { EntryPorts } from '../../core/owners/enter-container.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { ContainerPath } from '../schema.ts'
import { ArchiveBody, DirectoryQuery } from './schema.ts'

const megabyte = 1024 * 1024
const archiveMax = 16 * megabyte

export default endpoint({
  summary: 'Write files into a container',
  description:
    'Unpacks a tar archive into a directory of a container, which need not run; send larger trees as several archives. Only files, directories and links are accepted. ' +
    'They belong to root. Files in mounted volumes and directories are written there. ' +
    'It needs the same permission as a shell in the container, which can write the same files.',
  access: 'containers:exec',
  atService: true,
  path: ContainerPath,
  query: DirectoryQuery,
  body: ArchiveBody,
  bodyLimit: 22 * megabyte,
  bulkField: 'data',
  noTimeout: true,
  examples: { body: { data: 'H4sIAAAAAAAAAw==' } },
  errors: {
    403: 'The container controls its host, as with the Engine’s socket, or has data of others, and you lack the right to it',
    404: 'No container or host has that id, or the container has no such directory',
    409: 'The directory is mounted read-only, a file would replace a directory or the other way round, or it is a part of the service',
    422: 'The archive is damaged',
  },

  async run({ path, query, body, caller }, ports: EntryPorts & Needs<'engines'>) {
    const container = await enterAsCaller(caller, query.host, path.id, ports)
    if (body.data.length > archiveMax) {
      throw invalid('body.data: must be at most 16 MiB; send several archives')
    }
    await container.write(query.path, await checkArchive(body.data))
    return undefined
  },
})
