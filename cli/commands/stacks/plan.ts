import type { Client } from '../../api/client.ts'
import { command } from '../../command.ts'
import { ApiFailure } from '../../failure.ts'
import { deployBodyOf, deployFields, deployFlags } from '../../flags/deploy-flags.ts'
import { verboseFlag } from '../../flags/verbose-flag.ts'
import { printPlan } from '../../output/plan-table.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: {
    ...deployFlags,
    ...verboseFlag,
  },
  list: true,
  fields: deployFields,
  details:
    '\nShows what a deploy with the same flags does to each container, file and image, and why. Changes nothing.' +
    '\nIt names the revision of the files: cli stacks deploy --revision deploys no other.' +
    '\nWith --verbose and with --output json it lists every step.',
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const body = deployBodyOf(args.services, flags)
    const [reply, warnings] = await Promise.all([
      service.post('/stacks/{name}/plan', { path: { name: args.name }, body }),
      print.format === 'json' ? [] : warningsOf(service, args.name, flags.environment),
    ])
    for (const warning of warnings) print.note(`warning: ${clean(warning)}`)
    const { 'x-revision': revision } = reply.answer.headers
    // Services of earlier versions do not send it.
    if (print.format !== 'json' && revision !== undefined) print.note(`revision ${revision}`)
    print.reply(reply, (steps) => printPlan(steps, print, flags))
  },
})

/**
 * Returns what a deploy of the stored files warns about, such as variables that are not set.
 * Returns nothing to those who may not create stacks.
 */
async function warningsOf(service: Client, stack: string, environment: string | undefined) {
  try {
    const { value } = await service.post('/stacks/validate', { body: { stack, environment } })
    const warnings = value.filter(({ severity }) => severity === 'warning')
    return warnings.map(({ path, line, message }) => `${path}:${line}: ${message}`)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return []
    throw error
  }
}
