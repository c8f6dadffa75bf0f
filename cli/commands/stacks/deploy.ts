import { type Call, command } from '../../command.ts'
import { deployAndShow } from '../../deploy-and-show.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { DeployOrder } from '../../records.ts'

const ownFlags = {
  '--environment <name>': 'Apply the overlay compose.<name>.yaml',
  '--pull <when>': 'missing, always or never; as the compose file says unless given',
  '--force-recreate': 'Replace containers that did not change too',
  '--remove-orphans': 'Remove containers of services that are gone',
  '--on-drift <what>': 'Of files edited on the host: fail (the default), overwrite or import them',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Touches what changed and nothing else; \`cli stacks plan\` shows it beforehand. Steps are shown on standard error while
they happen. Ends with 1 when the deployment failed. --host places a stack that was never up.`,
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
  throw wrongUsage(`--pull ${JSON.stringify(text)}: there are missing, always and never`)
}

function driftOf(text: string | undefined): DeployOrder['on_drift'] {
  if (text === undefined || text === 'fail' || text === 'overwrite' || text === 'import')
    return text
  throw wrongUsage(`--on-drift ${JSON.stringify(text)}: there are fail, overwrite and import`)
}
