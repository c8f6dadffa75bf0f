import { command } from '../../command.ts'
import { choiceOf } from '../../flags/choice.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'
import { confirmed, yesFlag } from '../../session/prompt.ts'

export default command({
  args: '<name>',
  flags: {
    '--volumes': 'Also remove its volumes, with their data',
    '--rmi <which>':
      'Also remove images: local (those it built, without a name in the file) or all',
    ...timeoutFlag,
    ...yesFlag,
  },
  progress: true,
  details: `
Removes the containers and networks of a stack. Its files stay with the service, so that \`cli stacks deploy\` brings it
up again. Volumes and images that other stacks use stay, with a warning.`,
  examples: ['cli stacks down shop', 'cli stacks down shop --volumes --rmi local'],
  fields: { timeout_seconds: '--timeout' },
  async run({ args: { name }, flags, client, print, io }) {
    const images = choiceOf('--rmi', flags.rmi, ['none', 'local', 'all'])
    const body = { volumes: flags.volumes || undefined, images, timeout_seconds: timeoutOf(flags) }
    const service = await client()
    await checkHost(service, name, flags.host)
    if (flags.volumes && !flags.yes) {
      await confirmed(io, `Remove the volumes of ${clean(name)}, with their data?`, '--yes')
    }
    const options = { path: { name }, body, ...withoutWaiting }
    const started = await service.post('/stacks/{name}/down', options)
    await showDeployment(started, { client: service, print, io })
  },
})
