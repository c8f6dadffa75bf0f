import { command } from '../../command.ts'
import { deployAndShow } from '../../deploy-and-show.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { RollbackOrder } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'

export default command({
  args: '<name> <deployment>',
  flags: {
    '--on-drift <what>':
      'What to do with files edited on the host: fail (the default) or overwrite',
  },
  details: `
Deploys an earlier deployment again: its files, environment and image digests, even if a tag has moved since. Its files
become the newest revision of the stack; services added later are removed. \`cli stacks deployments <name>\` lists the
ids. Exits with 1 if the deployment failed.`,
  examples: ['cli stacks rollback shop 019a0000-0000-7000-8000-000000000000'],
  async run({ args: { name, deployment }, flags, client, print, io }) {
    const service = await client()
    await checkPlace(service, name, flags.host)
    const body: RollbackOrder = {
      deployment_id: deployment,
      on_drift: driftOf(flags.onDrift),
    }
    await deployAndShow(path`/stacks/${name}/rollback`, body, { client: service, print, io })
  },
})

function driftOf(text: string | undefined): RollbackOrder['on_drift'] {
  if (text === undefined || text === 'fail' || text === 'overwrite') return text
  throw wrongUsage(`--on-drift ${JSON.stringify(text)}: must be fail or overwrite`)
}
