import { resolve } from 'node:path'
import { type Call, command } from '../../command.ts'
import { failed, wrongUsage } from '../../failure.ts'
import { readDockge } from '../../import/dockge/read-directory.ts'
import { dockgeStacks } from '../../import/dockge/stacks.ts'
import { importStacks, wayBackOf } from '../../import/import-stacks.ts'
import { peerProjects } from '../../import/peer-projects.ts'
import { clean } from '../../output/text.ts'
import { hostFor, hostNames, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

const ownFlags = {
  '--dry-run': 'Show what would happen with each stack; nothing is sent',
  '--yes': 'Do not ask',
  '--path-on-host <path>': 'The same directory as the host has it, if its path differs there',
} as const

export default command({
  args: '<directory>',
  flags: ownFlags,
  progress: true,
  details: `
Makes stacks of the folders in Dockge's stacks directory, which is usually /opt/stacks. Run it where that directory is.
Stacks that run are adopted: no container is restarted, and they keep their directory. The others are created and not
deployed. Variables of global.env that a stack uses become a part of its .env. Stacks that exist already are left alone,
so you can run the same command again. Nothing is changed in Dockge, and \`cli stacks forget\` gives a stack back to it.
Use --host to name the host.`,
  examples: ['cli import dockge /opt/stacks --dry-run', 'cli import dockge /opt/stacks'],
  run: importDockge,
})

async function importDockge({
  args,
  flags,
  client,
  print,
  io,
}: Call<'<directory>', typeof ownFlags>) {
  const named = oneHost(flags.host)
  const root = resolve(io.cwd, args.directory)
  const onHost = pathOnHost(flags.pathOnHost) ?? root
  const directory = await readDockge(root, onHost)
  if (directory.folders.length === 0) {
    throw failed(`${clean(root)} has no folder with a compose file`, {
      hint: "name Dockge's stacks directory, its DOCKGE_STACKS_DIR",
    })
  }
  const service = await client()
  const host = await hostFor(service, named)
  const containers = await service.get('/containers', { query: { host, all: true } })
  const running = await service.get('/compose-projects', { query: { host } })
  const nameOf = await hostNames(service, print)
  if (containers.answer.headers['x-result-truncated'] === 'true')
    throw failed('the host has more containers than the service lists', {
      hint: 'adopt the stacks in parts: cli stacks adopt <directory> --with-env',
    })
  const known = peerProjects(itemsOf(containers.value))
  const stacks = await dockgeStacks(directory, known, nameOf(host ?? 'local'))
  const projects = itemsOf(running.value)
  const wayBack = wayBackLines(onHost, directory.globalEnv !== undefined)
  const call = { service, io, print, projects, product: 'Dockge', wayBack }
  return importStacks(stacks, call, flags)
}

function pathOnHost(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!text.startsWith('/')) throw wrongUsage('--path-on-host: must be an absolute path')
  return resolve(text)
}

const wayBackLines = (onHost: string, hasGlobals: boolean): string[] => [
  ...wayBackOf('Dockge', `its files in ${clean(onHost)}`),
  ...(hasGlobals
    ? ['  later changes of global.env do not reach imported stacks: change their .env']
    : []),
]
