import { type Call, command } from '../../command.ts'
import { deployAndShow } from '../../deploy-and-show.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { DeployOrder } from '../../records.ts'

const ownFlags = {
  '--environment <name>': 'Apply the overlay compose.<name>.yaml',
  '--pull <when>': 'missing, always or never; defaults to the compose file',
  '--force-recreate': 'Also recreate unchanged containers',
  '--remove-orphans': 'Remove containers of services that are no longer in the file',
  '--on-drift <what>':
    'What to do with files edited on the host: fail (the default), overwrite or import',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Changes only what differs; \`cli stacks plan\` shows a preview. Steps are shown on standard error as they happen. Exits
with 1 if the deployment failed. --host sets the host of a stack that was never deployed.`,
  examples: ['cli stacks deploy shop', 'cli stacks deploy shop --environment prod'],
  run: deploy,
})

async function deploy({
  args: { name },
  flags,
  client,
  print,
  io,
}: Call<'<name>', typeof ownFlags>) {
  const body: DeployOrder = {
    environment: flags.environment,
    host: flags.host,
    pull: pullOf(flags.pull),
    force_recreate: flags.forceRecreate || undefined,
    remove_orphans: flags.removeOrphans || undefined,
    on_drift: driftOf(flags.onDrift),
  }
  const service = await client()
  await deployAndShow(path`/stacks/${name}/deploy`, body, { client: service, print, io })
}

function pullOf(text: string | undefined): DeployOrder['pull'] {
  if (text === undefined || text === 'missing' || text === 'always' || text === 'never') return text
  throw wrongUsage(`--pull ${JSON.stringify(text)}: must be missing, always or never`)
}

function driftOf(text: string | undefined): DeployOrder['on_drift'] {
  if (text === undefined || text === 'fail' || text === 'overwrite' || text === 'import')
    return text
  throw wrongUsage(`--on-drift ${JSON.stringify(text)}: must be fail, overwrite or import`)
}
