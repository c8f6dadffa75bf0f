import { resolve } from 'node:path'
import { adoptAll } from '../../adopt/adopt-all.ts'
import { type AdoptCall, adoptOne, previewOne } from '../../adopt/adopt-one.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

const ownFlags = {
  '--name <name>': "The stack's name; defaults to the directory's base name",
  '--dry-run': 'Check and show what would be done; nothing is sent',
  '--yes': 'Do not ask',
  '--with-env': 'Send .env too; it is kept encrypted',
  '--max-size <bytes>': 'The largest bundle to send; defaults to 100 MiB',
  '--all': 'Adopt the running project of every directory in this one',
} as const

export default command({
  args: '<directory>',
  flags: ownFlags,
  progress: true,
  details: `
Turns a running compose project into a stack. The directory must contain its compose.yaml. No container is restarted and
nothing is written on the host; the stack keeps using the directory of the running project. Run the same command again
to resume an interrupted transfer. Without .env the service does not know the values of variables, and reports which
services would change. Use --host to name the host of the project.`,
  examples: ['cli stack adopt ./shop --with-env', 'cli stacks adopt --all /srv --with-env --yes'],
  run: adopt,
})

async function adopt({ args, flags, client, print, io }: Call<'<directory>', typeof ownFlags>) {
  const named = oneHost(flags.host)
  if (flags.all && flags.name !== undefined) {
    throw wrongUsage('--all and --name: use only one; --all uses the name of each directory')
  }
  const directory = resolve(io.cwd, args.directory)
  const sizeMax = sizeOf(flags.maxSize)
  const service = await client()
  const host = await hostFor(service, named)
  const { value } = await service.get('/compose-projects', { query: { host } })
  const choice = { name: flags.name, withEnv: flags.withEnv, sizeMax }
  const call: AdoptCall = { service, io, print, host, choice, projects: itemsOf(value) }
  const asked = { dryRun: flags.dryRun, yes: flags.yes }
  if (flags.all) return adoptAll(directory, call, asked)
  return flags.dryRun ? previewOne(directory, call) : adoptOne(directory, call, asked)
}

function sizeOf(text: string | undefined): number {
  if (text === undefined) return 100 * 1024 * 1024
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw wrongUsage(`--max-size ${JSON.stringify(text)}: must be a number of bytes`)
  return Number(text)
}
