import { z } from 'zod'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import {
  type ReadFolders,
  type ReadFoldersPorts,
  readFolders,
} from '../core/sources/read-folders.ts'
import { folderStates, foldersMax } from '../core/sources/scan-folders.ts'
import { aboutFields, aboutView } from '../kit/about-fields.ts'
import { endpoint } from '../kit/endpoint.ts'
import { StackName } from '../kit/params.ts'
import { SourcePath } from './schema.ts'

const FolderPath = z.string().describe('Path of the folder; empty: the top of the source')

const SourceFolder = z
  .object({
    path: FolderPath,
    compose_file: z.string().describe('Name of its compose file'),
    state: z
      .enum(folderStates)
      .describe(
        '`new`: a stack of this folder can be created under the proposed name. `followed`: a stack follows it already. `taken`: a stack has the proposed name, and follows something else or nothing',
      ),
    stack: StackName.describe(
      'Name that is proposed for a stack of it; if it is followed, the first stack that does',
    ),
    followed_by: z.array(StackName).describe('All stacks that follow it, sorted'),
  })
  .meta({ id: 'SourceFolder', description: 'A folder of a source that has a compose file' })

const GoneFolder = z
  .object({ stack: StackName.describe('Name of the stack'), path: FolderPath })
  .meta({
    id: 'GoneSourceFolder',
    description: 'A stack that follows a folder that the source does not have any more',
  })

const SourceFolders = z
  .object({
    revision: z.string().describe('Digest or commit ID that was read'),
    ...aboutFields,
    folders: z.array(SourceFolder).max(foldersMax).describe('Sorted by path'),
    is_truncated: z.boolean().describe(`There are more than ${foldersMax} folders`),
    gone: z
      .array(GoneFolder)
      .describe('Stacks whose folder is gone, sorted by name. They stay as they are'),
  })
  .meta({ id: 'SourceFolders', description: 'The folders of a source, and their stacks' })

export default endpoint({
  summary: 'List the folders of a source',
  description:
    'Asks what the reference names now, with the rights of the account that the source acts as. Lists the folders that have a compose file, with what it would mean to create a stack of each. Changes nothing.',
  access: 'registries:manage',
  atService: true,
  noTimeout: true,
  limitsCaller: true,
  path: SourcePath,
  returns: SourceFolders,
  errors: {
    403: 'You lack `stacks:read`, or your credential is limited to some hosts',
    404: 'There is no such source',
    422: 'The source refuses to be read, has nothing that can be read, or its account may not read it',
  },
  examples: {
    returns: {
      revision: '2f7c1a90d4b86e35c0a1f9e7d3b5426817c9e0ad',
      author: 'Ada',
      subject: 'Open the shop',
      made_at: '2026-11-29T11:58:00.000Z',
      folders: [
        {
          path: 'apps/mail',
          compose_file: 'compose.yaml',
          state: 'new',
          stack: 'mail',
          followed_by: [],
        },
        {
          path: 'apps/shop',
          compose_file: 'compose.yaml',
          state: 'followed',
          stack: 'shop',
          followed_by: ['shop'],
        },
      ],
      is_truncated: false,
      gone: [{ stack: 'blog', path: 'apps/blog' }],
    },
  },

  async run({ path, caller, signal }, ports: ReadFoldersPorts & Needs<'background'>) {
    requireEveryHost(caller, 'sources')
    // The response names stacks.
    requirePermissions(caller, ['stacks:read'], 'the folders of a source')
    const ending = AbortSignal.any([signal, ports.background.stopping])
    return foldersView(await readFolders(path.name, ports, ending))
  },
})

const foldersView = ({
  revision,
  about,
  folders,
  isTruncated,
  gone,
}: ReadFolders): z.input<typeof SourceFolders> => ({
  revision,
  ...aboutView({ ...about, madeAt: about.at }),
  folders: folders.map(({ path, composeFile, state, stack, followedBy }) => ({
    path,
    compose_file: composeFile,
    state,
    stack,
    followed_by: followedBy,
  })),
  is_truncated: isTruncated,
  gone,
})
