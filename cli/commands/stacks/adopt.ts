import { resolve } from 'node:path'
import { adoptAll } from '../../adopt/adopt-all.ts'
import { type AdoptCall, adoptOne, previewOne } from '../../adopt/adopt-one.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import type { ComposeProject } from '../../records.ts'

const ownFlags = {
  '--name <name>': "The stack's name; the directory's base name unless given",
  '--dry-run': 'Check and show what would be done; nothing is sent',
  '--yes': 'Do not ask',
  '--with-env': 'Send .env too; it is kept encrypted',
  '--max-size <bytes>': 'The largest bundle to send; 100 MiB unless given',
  '--all': 'Adopt the running project of every directory in this one',
} as const

export default command({
  args: '<directory>',
  flags: ownFlags,
  details: `
Makes a stack of a compose project that runs already, from the directory that holds its compose.yaml. No container is
restarted and nothing is written on the host; the stack goes on living in the directory of the running project. A
transfer that was cut off goes on where it was when the same command is run again. Without .env the service cannot
know the values of variables, and says which services would change. --host says where the project runs.`,
  examples: ['cli stack adopt ./shop --with-env', 'cli stacks adopt --all /srv --with-env --yes'],
  run: adopt,
})

async function adopt({ args, flags, client, print, io }: Call<'<directory>', typeof ownFlags>) {
  if (flags.host === 'all') throw wrongUsage('--host all is for lists')
  if (flags.all && flags.name !== undefined) {
    throw wrongUsage('--all takes the name of each directory, --name is for one')
  }
  const directory = resolve(io.cwd, args.directory)
  const sizeMax = sizeOf(flags.maxSize)
  const service = await client()
  const query = { host: flags.host }
  const { value } = await service.get<ComposeProject[]>('/compose-projects', { query })
  const choice = { name: flags.name, withEnv: flags.withEnv, sizeMax }
  const call: AdoptCall = { service, io, print, host: flags.host, choice, projects: value }
  const asked = { dryRun: flags.dryRun, yes: flags.yes }
  if (flags.all) return adoptAll(directory, call, asked)
  return flags.dryRun ? previewOne(directory, call) : adoptOne(directory, call, asked)
}

function sizeOf(text: string | undefined): number {
  if (text === undefined) return 100 * 1024 * 1024
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw wrongUsage(`--max-size ${JSON.stringify(text)}: a number of bytes`)
  return Number(text)
}
